//! The face of JSON lines: one object a line, each with `"v":1` and a `type`. `docs/json.md` describes
//! them for those who write scripts; types and fields may be added, none is taken away.

mod happened;

use crate::fault::Fault;
use crate::message::{Consent, Invitation, News, Refused, Standstill};
use crate::model::{GameModel, Model};
use crate::words::{Question, matter_word};
use crate::{agreed, answers, sentence};
use chatrang_protocol::chat::ChatLine;
use chatrang_protocol::ids::Handle;
use chatrang_protocol::lobby::{GameSummary, Proposal};
use chatrang_protocol::role::Role;
use chatrang_protocol::view::EnvelopeContent;
use chatrang_rules::color::{ByColor, Color};
use chatrang_rules::game::{Claim, Millis, Proposal as Offer, QuickplayClaim, Stakes, Suspension};
use chatrang_rules::moves::Move;
use chatrang_rules::notation::uci::{self, UciCastling};
use happened::Happened;
use serde::Serialize;

/// The version of the lines.
const VERSION: u8 = 1;

/// The lines that tell the news, most often one.
pub fn lines(news: &News, model: &Model) -> Vec<String> {
    line(news, model).map(|line| write(&line)).into_iter().collect()
}

/// The object that tells the news, to be written within another.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct Object<'a>(Line<'a>);

impl<'a> Object<'a> {
    /// The news as an object; none where they are told otherwise.
    pub(crate) fn of(news: &'a News, model: &'a Model) -> Option<Self> {
        line(news, model).map(Self)
    }
}

/// The line of a fault that ends the program.
pub fn fault(fault: &Fault) -> String {
    let cause = fault.cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default();
    write(&Line::Error { code: fault.exit.name(), text: format!("{}{cause}", fault.text), hint: &fault.hint })
}

/// The line of a game in a list.
pub fn listed(summary: &GameSummary) -> String {
    write(&Line::Listed {
        game: summary.game.0,
        players: summary.players.as_ref().map(ToString::to_string),
        terms: summary.controls.to_string(),
        ply: summary.ply,
        result: summary.result.map(|result| result.score_text()),
    })
}

/// The line of who this machine is.
pub fn identity(fingerprint: &str, path: &str) -> String {
    write(&Line::Identity { fingerprint, path })
}

/// The line of a known server.
pub fn known_server(address: &str, fingerprint: &str, first_seen: &str, handle: Option<&str>) -> String {
    write(&Line::Server { address, fingerprint, first_seen, handle })
}

/// The line of an account that the player blocks.
pub fn blocked(handle: &Handle) -> String {
    write(&Line::Blocked { handle: handle.as_str() })
}

/// The line of an account that the player blocks no more.
pub fn unblocked(handle: &Handle) -> String {
    write(&Line::Unblocked { handle: handle.as_str() })
}

/// The line of an account that has got a role.
pub fn role_given(handle: &Handle, role: Role) -> String {
    write(&Line::Role { handle: handle.as_str(), role: role.as_str() })
}

#[derive(Serialize)]
struct Versioned<'a, L> {
    v: u8,
    #[serde(flatten)]
    line: &'a L,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Entered {
        server: &'a str,
        handle: Option<String>,
    },
    Invite {
        line: &'a str,
        command: String,
    },
    Seeking(AgreedFields),
    Terms {
        by: &'a str,
        consent: &'static str,
        #[serde(flatten)]
        agreed: AgreedFields,
    },
    Game(Box<GameLine>),
    Move(Box<MoveLine>),
    Offer(OfferFields),
    Declined {
        offer: &'static str,
        by: &'static str,
    },
    Sealed {
        by: &'static str,
    },
    MayClaim {
        claim: &'static str,
    },
    Chat {
        from: &'a str,
        room: &'static str,
        text: &'a str,
    },
    Rematch {
        by: &'static str,
    },
    RematchWithdrawn,
    RematchBegun {
        game: u64,
    },
    Refused {
        input: &'a str,
        law: &'a str,
        text: &'a str,
    },
    Away {
        side: &'static str,
        seconds: u64,
        claim_in_ms: Option<u64>,
    },
    Back {
        side: &'static str,
    },
    ClocksStopped {
        reason: &'static str,
        clocks_ms: ByColor<Option<u64>>,
    },
    ClocksRun {
        reason: &'static str,
        clocks_ms: ByColor<Option<u64>>,
    },
    ConnectionLost,
    ConnectionBack,
    LowTime {
        side: &'static str,
        seconds: u64,
    },
    Board {
        fen: String,
        ranks: Vec<String>,
        turn: Option<&'static str>,
    },
    Clock {
        clocks_ms: ByColor<Option<u64>>,
        running: Option<&'static str>,
    },
    Answer {
        question: &'static str,
        text: String,
    },
    Note {
        text: &'a str,
    },
    End {
        result: String,
        termination: &'static str,
        text: String,
    },
    Error {
        code: &'static str,
        text: String,
        hint: &'a str,
    },
    Listed {
        game: u64,
        players: ByColor<String>,
        terms: String,
        ply: u32,
        result: Option<String>,
    },
    Identity {
        fingerprint: &'a str,
        path: &'a str,
    },
    Blocked {
        handle: &'a str,
    },
    Unblocked {
        handle: &'a str,
    },
    Role {
        handle: &'a str,
        role: &'static str,
    },
    Server {
        address: &'a str,
        fingerprint: &'a str,
        first_seen: &'a str,
        handle: Option<&'a str>,
    },
    /// It has a type of its own.
    #[serde(untagged)]
    Happened(Box<Happened<'a>>),
}

#[derive(Serialize)]
struct GameLine {
    game: u64,
    /// None for a spectator.
    side: Option<&'static str>,
    /// None for a spectator.
    opponent: Option<String>,
    players: ByColor<String>,
    #[serde(flatten)]
    agreed: AgreedFields,
    /// The moves made so far, in SAN.
    played: Vec<String>,
    offer_by: Option<&'static str>,
    #[serde(flatten)]
    state: StateFields,
}

#[derive(Serialize)]
struct MoveLine {
    ply: u32,
    by: &'static str,
    san: String,
    uci: String,
    /// What the mover was not charged because the network took it.
    #[serde(skip_serializing_if = "Option::is_none")]
    credit_ms: Option<u64>,
    #[serde(flatten)]
    state: StateFields,
}

/// What is agreed before the first move.
#[derive(Serialize)]
pub(crate) struct AgreedFields {
    terms: String,
    /// As `--rules` reads it; none where it is left to the server.
    conduct: Option<String>,
    rated: bool,
    no_draw_before: Option<u16>,
}

/// Something that is proposed.
#[derive(Serialize)]
pub(crate) struct OfferFields {
    offer: &'static str,
    by: &'static str,
    /// For a takeback.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u8>,
}

#[derive(Serialize)]
struct EnvelopeFields {
    sealer: &'static str,
    filled: bool,
}

#[derive(Serialize)]
struct WaitingFields {
    by: &'static str,
    claim: &'static str,
}

#[derive(Serialize)]
struct StateFields {
    fen: String,
    turn: Option<&'static str>,
    check: bool,
    /// In UCI, in the order of bytes.
    legal: Vec<String>,
    claimable: Vec<&'static str>,
    /// The moves in UCI that a claim of a draw may name.
    claimable_with: Vec<String>,
    touched: Vec<String>,
    offers: Vec<OfferFields>,
    illegal_moves: ByColor<u8>,
    suspended: Option<&'static str>,
    envelope: Option<EnvelopeFields>,
    claim_waiting: Option<WaitingFields>,
    clocks_ms: ByColor<Option<u64>>,
    /// Whose clock runs; none while the house has stopped them, and at the end.
    running: Option<&'static str>,
}

fn line<'a>(news: &'a News, model: &'a Model) -> Option<Line<'a>> {
    let game = model.game.as_ref();
    let clocks_ms = || game.map(|game| clocks_ms(game, model)).unwrap_or_default();
    Some(match news {
        News::Entered => {
            Line::Entered { server: &model.server, handle: model.handle.as_ref().map(ToString::to_string) }
        }
        News::Invite(Invitation { line, .. }) => {
            Line::Invite { line, command: format!("chatrang join {line}") }
        }
        News::Seeking(proposal) => Line::Seeking(proposed_fields(proposal)),
        News::Proposed { invitation, consent } => Line::Terms {
            by: invitation.by.as_str(),
            consent: match consent {
                Consent::Needed => "needed",
                Consent::Given => "given",
            },
            agreed: proposed_fields(&invitation.proposal),
        },
        News::Game => Line::Game(Box::new(game_line(game?, model))),
        News::Moved { color, ply, mv, san, credit } => Line::Move(Box::new(MoveLine {
            ply: *ply,
            by: side(*color),
            san: san.clone(),
            uci: uci(*mv),
            credit_ms: Some(credit.0).filter(|&credit| credit > 0),
            state: state_fields(game?, model),
        })),
        News::Offered { by, proposal } => Line::Offer(offer_fields(*by, *proposal)),
        News::Declined { by, matter } => Line::Declined { offer: matter_word(*matter), by: side(*by) },
        News::Happened(happening) => {
            Line::Happened(Box::new(happened::line(happening, game?, state_fields(game?, model))))
        }
        News::Sealed { by } => Line::Sealed { by: side(*by) },
        News::MayClaimAbsence => Line::MayClaim { claim: "absence" },
        News::Chat(ChatLine { from, room, text, .. }) => {
            Line::Chat { from: from.as_str(), room: room.as_str(), text: text.as_str() }
        }
        News::RematchAsked { by } => Line::Rematch { by: side(*by) },
        News::RematchWithdrawn => Line::RematchWithdrawn,
        News::RematchBegun { game } => Line::RematchBegun { game: game.0 },
        News::Refused(Refused { input, law, text }) => Line::Refused { input, law, text },
        News::Away { color, span } => Line::Away {
            side: side(*color),
            seconds: span.0 / 1000,
            claim_in_ms: game
                .filter(|game| game.seat == Some(!*color))
                .and_then(|game| game.absence_wait(model.now))
                .map(|wait| wait.0),
        },
        News::Back { color } => Line::Back { side: side(*color) },
        News::ClocksStopped(why) => Line::ClocksStopped { reason: reason(*why), clocks_ms: clocks_ms() },
        News::ClocksRun(why) => Line::ClocksRun { reason: reason(*why), clocks_ms: clocks_ms() },
        News::ConnectionLost => Line::ConnectionLost,
        News::ConnectionBack => Line::ConnectionBack,
        News::LowTime { color, seconds } => Line::LowTime { side: side(*color), seconds: *seconds },
        News::Asked(question) => answer(*question, game?, model),
        News::Remark(text) => Line::Note { text },
        News::End(result) => Line::End {
            result: result.score_text(),
            termination: result.termination.name(),
            text: sentence::of(news, model),
        },
    })
}

fn game_line(game: &GameModel, model: &Model) -> GameLine {
    GameLine {
        game: game.id.0,
        side: game.seat.map(side),
        opponent: game.seat.map(|seat| game.players[!seat].handle.to_string()),
        players: game.players.as_ref().map(|player| player.handle.to_string()),
        agreed: AgreedFields {
            terms: game.terms.controls.to_string(),
            conduct: Some(agreed::conduct(&game.terms.conduct, &game.terms.controls)),
            rated: game.terms.stakes == Stakes::Rated,
            no_draw_before: Some(game.terms.agreement_from).filter(|&from| from > 1),
        },
        played: game.played.iter().map(|played| played.san.to_string()).collect(),
        offer_by: game.state.draw_offer().map(side),
        state: state_fields(game, model),
    }
}

/// What a script needs after each move.
fn state_fields(game: &GameModel, model: &Model) -> StateFields {
    let mut legal: Vec<String> = game.state.legal.iter().map(|legal| uci(legal.mv)).collect();
    legal.sort_unstable();
    StateFields {
        fen: game.state.fen.to_string(),
        turn: game.turn().map(side),
        check: game.state.in_check,
        legal,
        claimable: game.claims().iter().copied().filter_map(claimable).collect(),
        claimable_with: game.claims().iter().copied().filter_map(claimable_with).collect(),
        touched: game.state.touched.iter().map(ToString::to_string).collect(),
        offers: game.state.proposals.iter().map(|offer| offer_fields(offer.by, offer.proposal)).collect(),
        illegal_moves: game.state.illegal_moves,
        suspended: game.state.suspension.map(suspension),
        envelope: game.state.envelope.map(|envelope| EnvelopeFields {
            sealer: side(envelope.sealer),
            filled: envelope.content == EnvelopeContent::Move,
        }),
        claim_waiting: game
            .state
            .claim_waiting
            .map(|waiting| WaitingFields { by: side(waiting.by), claim: quickplay(waiting.claim) }),
        clocks_ms: clocks_ms(game, model),
        running: game.running().map(side),
    }
}

fn proposed_fields(proposal: &Proposal) -> AgreedFields {
    AgreedFields {
        terms: proposal.controls.to_string(),
        conduct: proposal.conduct.map(|conduct| agreed::conduct(&conduct, &proposal.controls)),
        rated: proposal.stakes == Stakes::Rated,
        no_draw_before: Some(proposal.agreement_from).filter(|&from| from > 1),
    }
}

fn offer_fields(by: Color, proposal: Offer) -> OfferFields {
    let plies = match proposal {
        Offer::Takeback { plies } => Some(plies),
        Offer::Draw | Offer::Pause | Offer::Adjournment => None,
    };
    OfferFields { offer: matter_word(proposal.matter()), by: side(by), plies }
}

const fn claimable(claim: Claim) -> Option<&'static str> {
    match claim {
        Claim::Threefold => Some("threefold"),
        Claim::FiftyMoves => Some("fifty"),
        Claim::ThreefoldWith(_) | Claim::FiftyMovesWith(_) => None,
        Claim::Flag => Some("flag"),
        Claim::Absence => Some("absence"),
        Claim::Increment => Some("increment"),
        Claim::NoWinning => Some("no_winning"),
    }
}

fn claimable_with(claim: Claim) -> Option<String> {
    match claim {
        Claim::ThreefoldWith(mv) | Claim::FiftyMovesWith(mv) => Some(uci(mv)),
        _ => None,
    }
}

const fn quickplay(claim: QuickplayClaim) -> &'static str {
    match claim {
        QuickplayClaim::Increment => "increment",
        QuickplayClaim::NoWinning => "no_winning",
    }
}

const fn suspension(why: Suspension) -> &'static str {
    match why {
        Suspension::Restart => "restart",
        Suspension::Pause => "pause",
        Suspension::Adjournment => "adjournment",
        Suspension::Arbiter => "arbiter",
        Suspension::Call { .. } => "call",
        Suspension::Claim { .. } => "claim",
    }
}

fn answer(question: Question, game: &GameModel, model: &Model) -> Line<'static> {
    match question {
        Question::Board => Line::Board {
            fen: game.state.fen.to_string(),
            ranks: answers::board(game),
            turn: game.turn().map(side),
        },
        Question::Clock => {
            Line::Clock { clocks_ms: clocks_ms(game, model), running: game.running().map(side) }
        }
        question => Line::Answer {
            question: question.name(),
            text: answers::answer(question, game, model.now).join("\n"),
        },
    }
}

/// What both clocks read; null for one without a limit.
fn clocks_ms(game: &GameModel, model: &Model) -> ByColor<Option<u64>> {
    ByColor::from_fn(|color| {
        Some(game.left(color, model.now)).filter(|&left| left != Millis::MAX).map(|left| left.0)
    })
}

fn uci(mv: Move) -> String {
    uci::write(mv, UciCastling::KingMoves)
}

/// A side, as the lines name it.
pub(crate) const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

const fn reason(why: Standstill) -> &'static str {
    match why {
        Standstill::Suspended(why) => suspension(why),
        Standstill::StoreFull => "store_full",
    }
}

/// One object a line, with its version before its type.
pub(crate) fn write(line: &impl Serialize) -> String {
    let versioned = Versioned { v: VERSION, line };
    serde_json::to_string(&versioned).expect("a line has only text keys and finite numbers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Exit;
    use crate::message::{Effect, Message, Report};
    use crate::message::{Friend, Moment};
    use crate::model::tests::{START, line_of, snapshot_of, update_by, update_of};
    use crate::model::{AtEnd, Desk};
    use crate::update::update;
    use chatrang_protocol::ids::GameId;
    use chatrang_protocol::lobby::{InvitationView, Side};
    use chatrang_rules::game::{Action, Conduct, Decision, Matter, Order, Profile, SpeedClass, Terms};
    use chatrang_rules::outcome::{GameResult, Termination};
    use serde_json::{Value, json};

    fn model(fen: &str, seat: Option<Color>) -> Model {
        let mut model = Model::new(AtEnd::Leave, Desk::default());
        model.server = "a.example:7777".to_owned();
        model.handle = Handle::new("alice").ok();
        model.game = Some(GameModel::new(snapshot_of(fen, seat), Moment(0), Millis::ZERO));
        model
    }

    fn told(news: &News, model: &Model) -> Value {
        let lines = lines(news, model);
        assert_eq!(lines.len(), 1, "{news:?}");
        assert!(lines[0].starts_with(r#"{"v":1,"type":""#) && !lines[0].contains('\n'), "{}", lines[0]);
        serde_json::from_str(&lines[0]).unwrap()
    }

    #[test]
    fn a_game_line_has_all_that_a_script_needs() {
        let line = told(&News::Game, &model("8/P6k/8/8/8/8/8/4K3 w - - 0 1", Some(Color::White)));
        assert_eq!(
            line,
            json!({
                "v": 1, "type": "game", "game": 7, "side": "white", "opponent": "bob",
                "players": {"white": "alice", "black": "bob"}, "terms": "5+3", "conduct": "online", "rated": false,
                "no_draw_before": null, "played": [], "offer_by": null,
                "fen": "8/P6k/8/8/8/8/8/4K3 w - - 0 1", "turn": "white", "check": false,
                "legal": ["a7a8b", "a7a8n", "a7a8q", "a7a8r", "e1d1", "e1d2", "e1e2", "e1f1", "e1f2"],
                "claimable": [], "claimable_with": [], "touched": [], "offers": [],
                "illegal_moves": {"white": 0, "black": 0}, "suspended": null, "envelope": null,
                "claim_waiting": null, "clocks_ms": {"white": 300_000, "black": 300_000}, "running": "white"
            })
        );
        let line = told(&News::Game, &model(START, None));
        assert_eq!((&line["side"], &line["opponent"]), (&Value::Null, &Value::Null));
    }

    #[test]
    fn a_move_line_counts_its_ply_from_0_and_writes_castling_as_the_kings_move() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let mut model = model(fen, Some(Color::White));
        let game = model.game.as_mut().unwrap();
        let update = update_of(&game.state, "O-O");
        let mv = game.state.legal.iter().find(|legal| legal.san.as_str() == "O-O").unwrap().mv;
        game.evolve(update, Moment(0), Millis::ZERO);
        let line = told(
            &News::Moved { color: Color::White, ply: 0, mv, san: "O-O".to_owned(), credit: Millis::ZERO },
            &model,
        );
        assert_eq!(
            line,
            json!({
                "v": 1, "type": "move", "ply": 0, "by": "white", "san": "O-O", "uci": "e1g1",
                "fen": "4k3/8/8/8/8/8/8/5RK1 b - - 1 1", "turn": "black", "check": false,
                "legal": ["e8d7", "e8d8", "e8e7"],
                "claimable": [], "claimable_with": [], "touched": [], "offers": [],
                "illegal_moves": {"white": 0, "black": 0}, "suspended": null, "envelope": null,
                "claim_waiting": null, "clocks_ms": {"white": 300_000, "black": 300_000}, "running": "black"
            })
        );
    }

    #[test]
    fn no_clock_runs_while_the_store_is_full() {
        let mut model = model(START, Some(Color::White));
        model.game.as_mut().unwrap().stopped = Some(Moment(1000));
        model.now = Moment(90_000);
        let line = told(&News::Asked(Question::Clock), &model);
        assert_eq!((&line["running"], &line["clocks_ms"]["white"]), (&Value::Null, &json!(299_000)));
        assert_eq!(told(&News::Game, &model)["running"], Value::Null);
    }

    #[test]
    fn every_other_line_has_its_fields() {
        let model = model(START, Some(Color::White));
        let result = GameResult::win(Color::Black, Termination::Resignation);
        let refused = Refused { input: "e5".to_owned(), law: "FIDE 3.7".to_owned(), text: "no".to_owned() };
        let (color, by) = (Color::Black, Color::White);
        let proposal = Proposal::casual("3+2".parse().unwrap(), Side::Random);
        let invitation = Box::new(InvitationView {
            by: Handle::new("bob").unwrap(),
            proposal: Proposal {
                conduct: Conduct::parse("classic touch-move=off", SpeedClass::Blitz).ok(),
                stakes: Stakes::Rated,
                agreement_from: 30,
                ..proposal
            },
        });
        for (news, expected) in [
            (News::Entered, json!({"type": "entered", "server": "a.example:7777", "handle": "alice"})),
            (
                News::Invite(Invitation { line: "h:1/f/c".to_owned(), friend: Friend::Joins(proposal) }),
                json!({"type": "invite", "line": "h:1/f/c", "command": "chatrang join h:1/f/c"}),
            ),
            (
                News::Seeking(proposal),
                json!({"type": "seeking", "terms": "3+2", "conduct": null, "rated": false, "no_draw_before": null}),
            ),
            (
                News::Proposed { invitation, consent: Consent::Needed },
                json!({"type": "terms", "by": "bob", "consent": "needed", "terms": "3+2",
                    "conduct": "classic touch-move=off", "rated": true, "no_draw_before": 30}),
            ),
            (
                News::Offered { by, proposal: Offer::Draw },
                json!({"type": "offer", "offer": "draw", "by": "white"}),
            ),
            (
                News::Offered { by, proposal: Offer::Takeback { plies: 2 } },
                json!({"type": "offer", "offer": "takeback", "by": "white", "plies": 2}),
            ),
            (
                News::Declined { by, matter: Matter::Adjournment },
                json!({"type": "declined", "offer": "adjournment", "by": "white"}),
            ),
            (News::Sealed { by }, json!({"type": "sealed", "by": "white"})),
            (News::MayClaimAbsence, json!({"type": "may_claim", "claim": "absence"})),
            (
                News::Refused(refused),
                json!({"type": "refused", "input": "e5", "law": "FIDE 3.7", "text": "no"}),
            ),
            (
                News::Away { color, span: Millis(12_900) },
                json!({"type": "away", "side": "black", "seconds": 12, "claim_in_ms": null}),
            ),
            (News::Back { color }, json!({"type": "back", "side": "black"})),
            (
                News::ClocksStopped(Standstill::Suspended(Suspension::Restart)),
                json!({"type": "clocks_stopped", "reason": "restart", "clocks_ms": {"white": 300_000, "black": 300_000}}),
            ),
            (
                News::ClocksRun(Standstill::StoreFull),
                json!({"type": "clocks_run", "reason": "store_full", "clocks_ms": {"white": 300_000, "black": 300_000}}),
            ),
            (News::ConnectionLost, json!({"type": "connection_lost"})),
            (News::ConnectionBack, json!({"type": "connection_back"})),
            (
                News::LowTime { color, seconds: 20 },
                json!({"type": "low_time", "side": "black", "seconds": 20}),
            ),
            (
                News::Asked(Question::Clock),
                json!({"type": "clock", "clocks_ms": {"white": 300_000, "black": 300_000}, "running": "white"}),
            ),
            (
                News::Asked(Question::Last),
                json!({"type": "answer", "question": "last", "text": "No move has been made."}),
            ),
            (
                News::Chat(line_of("bob", "good luck")),
                json!({"type": "chat", "from": "bob", "room": "players", "text": "good luck"}),
            ),
            (News::RematchAsked { by }, json!({"type": "rematch", "by": "white"})),
            (News::RematchWithdrawn, json!({"type": "rematch_withdrawn"})),
            (News::RematchBegun { game: GameId(8) }, json!({"type": "rematch_begun", "game": 8})),
            (News::Remark("So.".to_owned()), json!({"type": "note", "text": "So."})),
            (
                News::End(result),
                json!({"type": "end", "result": "0-1", "termination": "resignation", "text": format!("{result}.")}),
            ),
        ] {
            let mut expected = expected;
            expected["v"] = json!(1);
            assert_eq!(told(&news, &model), expected);
        }
        let board = told(&News::Asked(Question::Board), &model);
        assert_eq!((&board["ranks"][0], &board["turn"]), (&json!("rnbqkbnr"), &json!("white")));
    }

    #[test]
    fn an_error_line_has_a_code_a_text_and_a_hint() {
        let line = fault(&Fault::new(Exit::Unreachable, "no answer", "try again").caused_by("timed out"));
        assert_eq!(
            serde_json::from_str::<Value>(&line).unwrap(),
            json!({"v": 1, "type": "error", "code": "unreachable", "text": "no answer: timed out", "hint": "try again"})
        );
    }

    #[test]
    fn a_happening_has_its_type_its_sentence_and_the_state() {
        let mv = Move::normal("e2".parse().unwrap(), "e5".parse().unwrap());
        let put_back = Action::MovePutBack { mv, count: 1, penalty: Millis(60_000) };
        let decision = Decision {
            order: Order::AddTime { side: Color::Black, span: Millis(120_000) },
            reason: "A lamp fell.".parse().unwrap(),
        };
        for (action, fields) in [
            (Action::Touched("g1".parse().unwrap()), json!({"type": "touch", "square": "g1"})),
            (
                put_back,
                json!({"type": "illegal_move", "uci": "e2e5", "outcome": "put_back", "count": 1,
                    "limit": 2, "penalty_ms": 60_000}),
            ),
            (
                Action::DrawClaimedWrongly { played: None, illegal: Some(mv), penalty: Millis(60_000) },
                json!({"type": "wrong_claim", "claim": "draw", "uci": "e2e5", "illegal": true, "penalty_ms": 60_000}),
            ),
            (Action::FlagClaimed, json!({"type": "claim", "claim": "flag", "uci": null})),
            (Action::Accepted(Offer::Takeback { plies: 2 }), json!({"type": "takeback", "plies": 2})),
            (Action::Accepted(Offer::Pause), json!({"type": "pause"})),
            (Action::Accepted(Offer::Adjournment), json!({"type": "adjourned"})),
            (Action::Sealed(mv), json!({"type": "sealed", "uci": "e2e5"})),
            (Action::Resumed { sealed: None }, json!({"type": "resumed", "uci": null})),
            (
                Action::Ruled(decision),
                json!({"type": "ruling", "order": "add_time", "side": "black", "ms": 120_000, "reason": "A lamp fell."}),
            ),
        ] {
            let mut model = model(START, Some(Color::White));
            let game = model.game.as_mut().unwrap();
            game.terms = Terms::of(Profile::Tournament, "5+3".parse().unwrap());
            let news = update_by(&game.state, Color::White, action);
            let effects = update(
                &mut model,
                Message::Report(Report::Update { update: Box::new(news), lag: Millis::ZERO }),
            );
            let Some(Effect::Tell(news)) = effects.first() else { panic!("{effects:?}") };
            let line = told(news, &model);
            for (name, value) in fields.as_object().unwrap() {
                assert_eq!(&line[name], value, "{name} of {line}");
            }
            assert_eq!((&line["by"], &line["turn"]), (&json!("white"), &json!("white")));
            assert!(!line["text"].as_str().unwrap().is_empty() && line["legal"].is_array());
        }
    }
}
