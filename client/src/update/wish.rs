//! What a player wants: a typed line becomes an intent, or is refused with a sentence.

use super::{accept_terms, not_yet, pend, refuse, talk, tell};
use crate::answers;
use crate::fault::Exit;
use crate::lookup::{self, NoMatch};
use crate::message::{Effect, News};
use crate::model::game::{GameModel, Hearing};
use crate::model::{Help, Leaving, Model, Tone, Waiting};
use crate::standing;
use crate::words::{Claimed, Question, Sure, Word, matter_word};
use chatrang_protocol::intent::{Intent, IntentError};
use chatrang_rules::game::{AbsenceClaim, Matter, Proposal, Reason, Refusal};
use chatrang_rules::moves::Move;
use chatrang_rules::square::Square;

/// Does what a typed line says.
pub(super) fn typed(model: &mut Model, line: &str, effects: &mut Vec<Effect>) {
    let input = line.trim();
    match Word::read(line) {
        Word::Nothing => {}
        Word::Accept(_) if matches!(model.waiting, Waiting::Consent(_)) => accept_terms(model, effects),
        Word::Resign(Sure::Yes) => send(model, input, Intent::Resign, effects),
        Word::Resign(Sure::NotYet) => {
            refuse(model, input, not_yet("to give the game up, type: resign yes"), effects);
        }
        Word::Say(text) => talk::say(model, input, &text, effects),
        Word::Rematch => talk::ask_rematch(model, input, effects),
        Word::Mute => talk::hear(model, input, Hearing::Muted, effects),
        Word::Unmute => talk::hear(model, input, Hearing::Open, effects),
        Word::Quit(sure) => quit(model, input, sure, effects),
        Word::Flip => model.screen.flipped = !model.screen.flipped,
        Word::Pieces => model.screen.pieces = model.screen.pieces.other(),
        Word::Help => help(model, effects),
        Word::Ask(question) => ask(model, input, question, effects),
        Word::Abort => send(model, input, Intent::Abort, effects),
        Word::Propose(proposal) => send(model, input, propose(model, proposal), effects),
        Word::Close => send(model, input, Intent::CloseEnvelope, effects),
        Word::Resume => send(model, input, Intent::Resume, effects),
        word => {
            let intent = intent(model, word);
            send_or_refuse(model, input, intent, effects);
        }
    }
}

/// The intent of a word that means something in the game as it stands.
fn intent(model: &Model, word: Word) -> Result<Intent, NoMatch> {
    match word {
        Word::Move(text) => mv(own_turn(model)?, &text),
        Word::IllegalMove(text) => illegal_move(own_turn(model)?, &text),
        Word::Seal(text) => own_turn(model).and_then(|game| {
            Ok(Intent::Seal {
                ply: game.state.ply,
                mv: lookup::find(&game.state, game.position.as_ref(), &text)?,
            })
        }),
        Word::Touch(square) => own_turn(model).map(|game| Intent::Touch { ply: game.state.ply, square }),
        Word::Adjust(square) => own_turn(model).map(|game| adjust(game, square)),
        Word::Takeback(plies) => own_game(model).map(|game| takeback(game, plies)),
        Word::Accept(matter) => {
            own_game(model).and_then(|game| Ok(Intent::Accept(answered(game, matter, "accept")?)))
        }
        Word::Decline(matter) => {
            own_game(model).and_then(|game| Ok(Intent::Decline(answered(game, matter, "decline")?)))
        }
        Word::Claim(claimed) => own_game(model).and_then(|game| claim(game, claimed)),
        Word::Call(reason) => own_game(model).and_then(|_| call(&reason)),
        _ => Err(not_yet("that is neither a move nor a word; type help for both")),
    }
}

fn mv(game: &GameModel, text: &str) -> Result<Intent, NoMatch> {
    match lookup::find(&game.state, game.position.as_ref(), text) {
        Ok(mv) => Ok(Intent::Move { ply: game.state.ply, mv }),
        // So that no slip of a finger counts as an illegal move, where such a move counts.
        Err(NoMatch { law, text: why }) => {
            match (carried(game, text), standing::cost_of_illegal_move(game)) {
                (Some(_), Some(cost)) => Err(NoMatch {
                    law,
                    text: format!("{why}; {cost}. To make it all the same, type: illegal {text}"),
                }),
                _ => Err(NoMatch { law, text: why }),
            }
        }
    }
}

/// A move as two squares, if a man of the player stands on the first.
fn carried(game: &GameModel, text: &str) -> Option<Move> {
    let is_own = |mv: &Move| game.board.color_at(mv.from()) == Some(game.state.turn);
    lookup::carried(game.position.as_ref(), text).filter(is_own)
}

fn illegal_move(game: &GameModel, text: &str) -> Result<Intent, NoMatch> {
    let mv = lookup::carried(game.position.as_ref(), text);
    let mv = mv.ok_or_else(|| not_yet("name two squares, as in: illegal e2e5"))?;
    Ok(Intent::Move { ply: game.state.ply, mv })
}

/// A man is adjusted.
pub(super) fn adjust(game: &GameModel, square: Square) -> Intent {
    Intent::Adjust { ply: game.state.ply, square }
}

/// Without a number, back to the player's own last move.
fn takeback(game: &GameModel, plies: Option<u8>) -> Intent {
    let to_own_move = if game.is_own_turn() { 2 } else { 1 };
    Intent::Propose(Proposal::Takeback { plies: plies.unwrap_or(to_own_move) })
}

/// Whoever proposes what his opponent has proposed already says yes to it.
fn propose(model: &Model, proposal: Proposal) -> Intent {
    let offers = model.game.as_ref().map(GameModel::offers_to_answer).unwrap_or_default();
    if offers.contains(&proposal.matter()) {
        Intent::Accept(proposal.matter())
    } else {
        Intent::Propose(proposal)
    }
}

/// The matter that is meant when it is not named: the only one that waits for an answer.
fn answered(game: &GameModel, matter: Option<Matter>, word: &str) -> Result<Matter, NoMatch> {
    match (matter, game.offers_to_answer().as_slice()) {
        (Some(matter), _) => Ok(matter),
        // The server says that there is nothing to answer.
        (None, []) => Ok(Matter::Draw),
        (None, [only]) => Ok(*only),
        (None, several) => {
            let ways: Vec<String> =
                several.iter().map(|&matter| format!("{word} {}", matter_word(matter))).collect();
            Err(not_yet(&format!("several things are proposed: type {}", ways.join(" or "))))
        }
    }
}

fn claim(game: &GameModel, claimed: Claimed) -> Result<Intent, NoMatch> {
    let ply = game.state.ply;
    let is_away = game.seat.is_some_and(|seat| game.state.absent_for[!seat].is_some());
    Ok(match claimed {
        Claimed::Draw(Some(text)) => Intent::ClaimDraw { ply, intended: Some(intended(game, &text)?) },
        Claimed::Flag => Intent::ClaimFlag,
        Claimed::IllegalMove => Intent::ClaimIllegalMove { ply },
        Claimed::Win => Intent::ClaimAbsence(AbsenceClaim::Win),
        Claimed::DrawByAbsence if is_away && !game.may_claim_draw() => {
            Intent::ClaimAbsence(AbsenceClaim::Draw)
        }
        Claimed::DrawByAbsence | Claimed::Draw(None) => Intent::ClaimDraw { ply, intended: None },
        Claimed::Increment => Intent::AskIncrement { ply },
        Claimed::NoWinning => Intent::ClaimNoWinning { ply },
    })
}

/// The move that is named for a claim. In the opponent's turn there is none: the list is his.
fn intended(game: &GameModel, text: &str) -> Result<Move, NoMatch> {
    if !game.is_own_turn() {
        return Err(not_your_turn(game));
    }
    lookup::find(&game.state, game.position.as_ref(), text)
}

fn call(reason: &str) -> Result<Intent, NoMatch> {
    if reason.is_empty() {
        return Err(not_yet("say why, as in: call He talks to me"));
    }
    let reason = reason.parse::<Reason>().map_err(|error| not_yet(&error.to_string()))?;
    Ok(Intent::CallArbiter(reason))
}

/// The game, if there is one in which this player acts.
fn own_game(model: &Model) -> Result<&GameModel, NoMatch> {
    let no = |law: &dyn ToString, text: &dyn ToString| {
        Err(NoMatch { law: law.to_string(), text: text.to_string() })
    };
    match &model.game {
        None => Err(no_game_yet(model)),
        Some(game) if game.seat.is_none() => no(&IntentError::NotSeated.law(), &IntentError::NotSeated),
        Some(game) => match game.state.result.map(Refusal::GameOver) {
            Some(refusal) => no(&refusal.law(), &refusal),
            None => Ok(game),
        },
    }
}

fn no_game_yet(model: &Model) -> NoMatch {
    match model.waiting {
        Waiting::Consent(_) => not_yet("the game begins when you type accept; to play another, quit"),
        _ => not_yet("no game has begun yet"),
    }
}

/// The game, if this player is to move in it: else its list of legal moves is the opponent's.
pub(super) fn own_turn(model: &Model) -> Result<&GameModel, NoMatch> {
    let game = own_game(model)?;
    if game.is_own_turn() {
        return Ok(game);
    }
    Err(not_your_turn(game))
}

fn not_your_turn(game: &GameModel) -> NoMatch {
    let refusal = Refusal::NotYourTurn { to_move: game.state.turn };
    NoMatch { law: refusal.law(), text: refusal.to_string() }
}

fn send_or_refuse(model: &mut Model, input: &str, found: Result<Intent, NoMatch>, effects: &mut Vec<Effect>) {
    match found {
        Ok(intent) => send(model, input, intent, effects),
        Err(no_match) => refuse(model, input, no_match, effects),
    }
}

pub(super) fn send(model: &mut Model, input: &str, intent: Intent, effects: &mut Vec<Effect>) {
    if let Err(no_game) = own_game(model) {
        return refuse(model, input, no_game, effects);
    }
    let ticket = pend(model, input);
    model.screen.selected = None;
    effects.push(Effect::Send { ticket, intent });
}

fn quit(model: &mut Model, input: &str, sure: Sure, effects: &mut Vec<Effect>) {
    if model.is_playing() && sure == Sure::NotYet {
        let text = "the game is kept and your clock may run meanwhile; to leave all the same, type: quit yes";
        return refuse(model, input, not_yet(text), effects);
    }
    effects.push(Effect::Leave(Exit::Success));
}

pub(super) fn interrupted(model: &mut Model, effects: &mut Vec<Effect>) {
    match (model.is_playing(), model.leaving) {
        (true, Leaving::NotAsked) => {
            model.leaving = Leaving::Asked;
            let text = "Press Ctrl-C again to leave: the game is kept, and the same command brings you back.";
            tell(model, News::Remark(text.to_owned()), effects);
        }
        _ if model.is_over() => effects.push(Effect::Leave(Exit::Success)),
        _ => effects.push(Effect::Leave(Exit::Interrupted)),
    }
}

fn help(model: &mut Model, effects: &mut Vec<Effect>) {
    model.screen.help = Help::FIRST;
    for line in answers::help() {
        effects.push(Effect::Tell(News::Remark(line)));
    }
}

fn ask(model: &mut Model, input: &str, question: Question, effects: &mut Vec<Effect>) {
    let Some(game) = &model.game else {
        let no_game = no_game_yet(model);
        return refuse(model, input, no_game, effects);
    };
    // The screen shows the board, the clocks and the moves anyway.
    let shown = matches!(question, Question::Board | Question::Clock | Question::Moves);
    let lines = answers::answer(question, game, model.now);
    if !shown || lines.len() == 1 {
        model.notice(Tone::Info, lines.join(" "));
    }
    effects.push(Effect::Tell(News::Asked(question)));
}
