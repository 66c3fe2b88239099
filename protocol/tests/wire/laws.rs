//! The words of the Laws that go over the wire, each with a sample.

use super::{mv, square, terms};
use chatrang_rules::castling::CastlingSide;
use chatrang_rules::color::Color;
use chatrang_rules::game::{
    self, Absence, AbsenceClaim, Action, Arbiter, ArbiterActs, Claim, Conduct, Decision, FlagFall,
    IllegalMoves, Irregularity, Matter, Millis, NoShow, Order, Party, Profile, Quickplay, QuickplayClaim,
    Reason, Refusal, SealedMove, SpeedClass, Stakes, Suspension, Terms, TouchMove, Unpromoted, WrongClaim,
};
use chatrang_rules::legality::IllegalMove;
use chatrang_rules::outcome::{Detail, GameResult, Outcome, Score, Termination};
use chatrang_rules::piece;

every! {
    proposals -> game::Proposal {
        game::Proposal::Draw => game::Proposal::Draw,
        game::Proposal::Takeback { .. } => game::Proposal::Takeback { plies: 2 },
        game::Proposal::Pause => game::Proposal::Pause,
        game::Proposal::Adjournment => game::Proposal::Adjournment,
    }

    matters -> Matter {
        Matter::Draw => Matter::Draw,
        Matter::Takeback => Matter::Takeback,
        Matter::Pause => Matter::Pause,
        Matter::Adjournment => Matter::Adjournment,
    }

    absence_claims -> AbsenceClaim {
        AbsenceClaim::Win => AbsenceClaim::Win,
        AbsenceClaim::Draw => AbsenceClaim::Draw,
    }

    quickplay_claims -> QuickplayClaim {
        QuickplayClaim::Increment => QuickplayClaim::Increment,
        QuickplayClaim::NoWinning => QuickplayClaim::NoWinning,
    }

    orders -> Order {
        Order::Pause => Order::Pause,
        Order::Resume => Order::Resume,
        Order::AddTime { .. } => Order::AddTime { side: Color::White, span: Millis(120_000) },
        Order::TakeTime { .. } => Order::TakeTime { side: Color::Black, span: Millis(60_000) },
        Order::SetClock { .. } => Order::SetClock { side: Color::White, left: Millis(5_000) },
        Order::Warn { .. } => Order::Warn { side: Color::Black },
        Order::GoBack { .. } => Order::GoBack { ply: 300 },
        Order::NoteFlag => Order::NoteFlag,
        Order::Grant => Order::Grant,
        Order::Postpone { .. } => Order::Postpone { bonus: Millis(120_000) },
        Order::Reject => Order::Reject,
        Order::Declare { .. } => Order::Declare { outcome: Outcome::win(Color::White) },
    }

    profiles -> Profile {
        Profile::Online => Profile::Online,
        Profile::Tournament => Profile::Tournament,
        Profile::Classic => Profile::Classic,
    }

    touch_moves -> TouchMove {
        TouchMove::Off => TouchMove::Off,
        TouchMove::On => TouchMove::On,
    }

    illegal_move_rules -> IllegalMoves {
        IllegalMoves::Refused => IllegalMoves::Refused,
        IllegalMoves::PutBack { .. } => IllegalMoves::PutBack { lost_at: 2, penalty: Millis(60_000) },
        IllegalMoves::Stand => IllegalMoves::Stand,
    }

    unpromoted_rules -> Unpromoted {
        Unpromoted::AsIllegal => Unpromoted::AsIllegal,
        Unpromoted::Queen => Unpromoted::Queen,
    }

    flag_falls -> FlagFall {
        FlagFall::Noticed => FlagFall::Noticed,
        FlagFall::Claimed => FlagFall::Claimed,
    }

    wrong_claims -> WrongClaim {
        WrongClaim::Refused => WrongClaim::Refused,
        WrongClaim::Penalty(_) => WrongClaim::Penalty(Millis(120_000)),
    }

    quickplays -> Quickplay {
        Quickplay::Off => Quickplay::Off,
        Quickplay::IncrementOrDraw => Quickplay::IncrementOrDraw,
        Quickplay::DrawOnly => Quickplay::DrawOnly,
    }

    arbiter_acts -> ArbiterActs {
        ArbiterActs::WhenCalled => ArbiterActs::WhenCalled,
        ArbiterActs::Unasked => ArbiterActs::Unasked,
    }

    no_shows -> NoShow {
        NoShow::Aborted => NoShow::Aborted,
        NoShow::Lost => NoShow::Lost,
    }

    absences -> Absence {
        Absence::Borne => Absence::Borne,
        Absence::Claimed => Absence::Claimed,
        Absence::Automatic => Absence::Automatic,
    }

    sealed_moves -> SealedMove {
        SealedMove::No => SealedMove::No,
        SealedMove::Yes => SealedMove::Yes,
    }

    stakes -> Stakes {
        Stakes::Casual => Stakes::Casual,
        Stakes::Rated => Stakes::Rated,
    }

    arbiters -> Arbiter {
        Arbiter::Nobody => Arbiter::Nobody,
        Arbiter::Named => Arbiter::Named,
    }

    irregularities -> Irregularity {
        Irregularity::Stands => Irregularity::Stands,
        Irregularity::Unpromoted { .. } => Irregularity::Unpromoted { count: 1, penalty: Millis(60_000) },
    }

    refusals -> Refusal {
        Refusal::NotYours => Refusal::NotYours,
        Refusal::GameOver(_) => Refusal::GameOver(GameResult::draw(Termination::Stalemate)),
        Refusal::NotYourTurn { .. } => Refusal::NotYourTurn { to_move: Color::Black },
        Refusal::Suspended { .. } => Refusal::Suspended { why: Suspension::Restart },
        Refusal::NotSuspended => Refusal::NotSuspended,
        Refusal::IllegalMove(_) => Refusal::IllegalMove(IllegalMove::NoMan { from: square("e4") }),
        Refusal::TouchBinds { .. } => Refusal::TouchBinds { square: square("g1"), role: piece::Role::Knight, own: true },
        Refusal::TouchMoveOff => Refusal::TouchMoveOff,
        Refusal::NobodyThere { .. } => Refusal::NobodyThere { square: square("e4") },
        Refusal::TouchedAlready { .. } => Refusal::TouchedAlready { square: square("g1") },
        Refusal::AdjustedEnough => Refusal::AdjustedEnough,
        Refusal::ClaimAfterTouch => Refusal::ClaimAfterTouch,
        Refusal::OfferTooEarly => Refusal::OfferTooEarly,
        Refusal::AgreementTooEarly { .. } => Refusal::AgreementTooEarly { from: 30 },
        Refusal::OfferStands { .. } => Refusal::OfferStands { matter: Matter::Draw },
        Refusal::OfferWaits { .. } => Refusal::OfferWaits { matter: Matter::Takeback },
        Refusal::OfferTooSoon { .. } => Refusal::OfferTooSoon { matter: Matter::Draw, plies: 20 },
        Refusal::NoOffer { .. } => Refusal::NoOffer { matter: Matter::Pause },
        Refusal::TakebackTooFar { .. } => Refusal::TakebackTooFar { played: 1 },
        Refusal::TakebackForbidden => Refusal::TakebackForbidden,
        Refusal::ClaimWrong { .. } => Refusal::ClaimWrong { repetitions: 2, halfmoves: 7 },
        Refusal::FlagsAreNoticed => Refusal::FlagsAreNoticed,
        Refusal::FlagNotDown => Refusal::FlagNotDown,
        Refusal::OwnFlagDown => Refusal::OwnFlagDown,
        Refusal::IllegalMovesAreNoticed => Refusal::IllegalMovesAreNoticed,
        Refusal::NothingToClaim => Refusal::NothingToClaim,
        Refusal::MoveWasLegal => Refusal::MoveWasLegal,
        Refusal::AbsenceIsBorne => Refusal::AbsenceIsBorne,
        Refusal::NotAway => Refusal::NotAway,
        Refusal::AwayNotLongEnough { .. } => Refusal::AwayNotLongEnough { wait: Millis(12_000) },
        Refusal::QuickplayOff => Refusal::QuickplayOff,
        Refusal::NoIncrementToAsk => Refusal::NoIncrementToAsk,
        Refusal::AskIncrementFirst => Refusal::AskIncrementFirst,
        Refusal::IncrementWasAsked => Refusal::IncrementWasAsked,
        Refusal::NoQuickplayFinish => Refusal::NoQuickplayFinish,
        Refusal::NotShortOfTime { .. } => Refusal::NotShortOfTime { left: Millis(121_000) },
        Refusal::ClaimWaits => Refusal::ClaimWaits,
        Refusal::NoArbiter => Refusal::NoArbiter,
        Refusal::CalledAlready { .. } => Refusal::CalledAlready { plies: 4 },
        Refusal::NotCalled => Refusal::NotCalled,
        Refusal::NoClaimWaits => Refusal::NoClaimWaits,
        Refusal::NotPostponed => Refusal::NotPostponed,
        Refusal::NoSuchPly { .. } => Refusal::NoSuchPly { ply: 9, played: 8 },
        Refusal::TooMuchTime => Refusal::TooMuchTime,
        Refusal::NoSuchScore => Refusal::NoSuchScore,
        Refusal::NothingToSeal => Refusal::NothingToSeal,
        Refusal::NotYourEnvelope { .. } => Refusal::NotYourEnvelope { sealer: Color::White },
        Refusal::SealInstead => Refusal::SealInstead,
        Refusal::EnvelopeIsEmpty => Refusal::EnvelopeIsEmpty,
        Refusal::StillAway { .. } => Refusal::StillAway { side: Color::Black },
        Refusal::NotRecorded => Refusal::NotRecorded,
        Refusal::AbortTooLate => Refusal::AbortTooLate,
        Refusal::CalledInVain => Refusal::CalledInVain,
    }

    illegal_moves -> IllegalMove {
        IllegalMove::NoMan { .. } => IllegalMove::NoMan { from: square("a1") },
        IllegalMove::OpponentsMan { .. } => IllegalMove::OpponentsMan {
            from: square("h8"), role: piece::Role::Rook, turn: Color::White,
        },
        IllegalMove::NotItsMove { .. } => IllegalMove::NotItsMove {
            role: piece::Role::Bishop, from: square("c1"), to: square("c2"),
        },
        IllegalMove::OwnMan { .. } => IllegalMove::OwnMan { to: square("d1") },
        IllegalMove::Blocked { .. } => IllegalMove::Blocked { by: square("e3") },
        IllegalMove::CapturesKing { .. } => IllegalMove::CapturesKing { to: square("e8") },
        IllegalMove::NothingToCapture { .. } => IllegalMove::NothingToCapture { to: square("d5") },
        IllegalMove::NoEnPassant { .. } => IllegalMove::NoEnPassant { to: square("d6") },
        IllegalMove::PromotionMissing { .. } => IllegalMove::PromotionMissing { to: square("a8") },
        IllegalMove::PromotionElsewhere { .. } => IllegalMove::PromotionElsewhere { to: square("a7") },
        IllegalMove::KingIntoAttack { .. } => IllegalMove::KingIntoAttack { to: square("e2"), by: square("a2") },
        IllegalMove::CheckNotMet { .. } => IllegalMove::CheckNotMet { by: square("b4") },
        IllegalMove::Pinned { .. } => IllegalMove::Pinned { by: square("h4") },
        IllegalMove::CastlingLost { .. } => IllegalMove::CastlingLost { side: CastlingSide::King },
        IllegalMove::CastlingBlocked { .. } => IllegalMove::CastlingBlocked { by: square("f1") },
        IllegalMove::CastlingInCheck { .. } => IllegalMove::CastlingInCheck { by: square("b4") },
        IllegalMove::CastlingThroughAttack { .. } => IllegalMove::CastlingThroughAttack {
            square: square("d1"), by: square("d8"),
        },
        IllegalMove::NotInHand { .. } => IllegalMove::NotInHand { role: piece::Role::Knight },
        IllegalMove::DropOntoMan { .. } => IllegalMove::DropOntoMan { to: square("e4") },
        IllegalMove::DropOntoLastRank { .. } => IllegalMove::DropOntoLastRank { to: square("a8") },
    }

    castling_sides -> CastlingSide {
        CastlingSide::King => CastlingSide::King,
        CastlingSide::Queen => CastlingSide::Queen,
    }

    men -> piece::Role {
        piece::Role::Pawn => piece::Role::Pawn,
        piece::Role::Knight => piece::Role::Knight,
        piece::Role::Bishop => piece::Role::Bishop,
        piece::Role::Rook => piece::Role::Rook,
        piece::Role::Queen => piece::Role::Queen,
        piece::Role::King => piece::Role::King,
    }

    terminations -> Termination {
        Termination::Checkmate => Termination::Checkmate,
        Termination::Stalemate => Termination::Stalemate,
        Termination::DeadPosition => Termination::DeadPosition,
        Termination::Resignation => Termination::Resignation,
        Termination::Agreement => Termination::Agreement,
        Termination::ThreefoldRepetition => Termination::ThreefoldRepetition,
        Termination::FivefoldRepetition => Termination::FivefoldRepetition,
        Termination::FiftyMoves => Termination::FiftyMoves,
        Termination::SeventyFiveMoves => Termination::SeventyFiveMoves,
        Termination::FlagFall => Termination::FlagFall,
        Termination::Aborted => Termination::Aborted,
        Termination::NoFirstMove => Termination::NoFirstMove,
        Termination::IllegalMoves => Termination::IllegalMoves,
        Termination::IllegalPosition => Termination::IllegalPosition,
        Termination::Absence => Termination::Absence,
        Termination::NormalMeans => Termination::NormalMeans,
        Termination::SealedIllegalMove => Termination::SealedIllegalMove,
        Termination::ArbiterRuling => Termination::ArbiterRuling,
    }

    details -> Detail {
        Detail::Plain => Detail::Plain,
        Detail::OpponentCannotMate { .. } => Detail::OpponentCannotMate { side: Color::White },
        Detail::MateNotProven { .. } => Detail::MateNotProven { side: Color::Black },
        Detail::BothFlags => Detail::BothFlags,
        Detail::DrawOdds { .. } => Detail::DrawOdds { side: Color::Black },
        Detail::PerpetualCheck { .. } => Detail::PerpetualCheck { side: Color::White },
    }

    scores -> Score {
        Score::Zero => Score::Zero,
        Score::Half => Score::Half,
        Score::One => Score::One,
    }

    actions -> Action {
        Action::Started(_) => Action::Started(terms()),
        Action::Moved { .. } => moved(None),
        Action::MovePutBack { .. } => Action::MovePutBack { mv: mv("e7", "e4"), count: 1, penalty: Millis(60_000) },
        Action::Touched(_) => Action::Touched(square("g8")),
        Action::Adjusted(_) => Action::Adjusted(square("g8")),
        Action::Proposed(_) => Action::Proposed(game::Proposal::Draw),
        Action::Declined(_) => Action::Declined(Matter::Draw),
        Action::Accepted(_) => Action::Accepted(game::Proposal::Draw),
        Action::DrawClaimed { .. } => Action::DrawClaimed { intended: Some(mv("g1", "f3")) },
        Action::DrawClaimedWrongly { .. } => Action::DrawClaimedWrongly {
            played: Some(mv("e7", "e5")), illegal: None, penalty: Millis(60_000),
        },
        Action::FlagClaimed => Action::FlagClaimed,
        Action::BothFlagsDown => Action::BothFlagsDown,
        Action::IllegalMoveClaimed => Action::IllegalMoveClaimed,
        Action::IllegalMoveClaimedWrongly { .. } => {
            Action::IllegalMoveClaimedWrongly { penalty: Millis(180_000) }
        },
        Action::AbsenceClaimed(_) => Action::AbsenceClaimed(AbsenceClaim::Draw),
        Action::QuickplayClaimed(_) => Action::QuickplayClaimed(QuickplayClaim::Increment),
        Action::Sealed(_) => Action::Sealed(mv("e7", "e5")),
        Action::EnvelopeClosed => Action::EnvelopeClosed,
        Action::Resumed { .. } => Action::Resumed { sealed: Some(mv("e7", "e5")) },
        Action::ArbiterCalled(_) => Action::ArbiterCalled(reason()),
        Action::Resigned => Action::Resigned,
        Action::Aborted => Action::Aborted,
        Action::TimeRanOut => Action::TimeRanOut,
        Action::AbsenceEnded => Action::AbsenceEnded,
        Action::Suspended(_) => Action::Suspended(Suspension::Restart),
        Action::Continued => Action::Continued,
        Action::Left(_) => Action::Left(Color::Black),
        Action::Returned(_) => Action::Returned(Color::Black),
        Action::Ruled(_) => Action::Ruled(decision(Order::Reject)),
    }

    parties -> Party {
        Party::Player(_) => Party::Player(Color::Black),
        Party::Arbiter => Party::Arbiter,
        Party::House => Party::House,
    }

    suspensions -> Suspension {
        Suspension::Restart => Suspension::Restart,
        Suspension::Pause => Suspension::Pause,
        Suspension::Adjournment => Suspension::Adjournment,
        Suspension::Arbiter => Suspension::Arbiter,
        Suspension::Call { .. } => Suspension::Call { by: Color::White },
        Suspension::Claim { .. } => Suspension::Claim { by: Color::Black, claim: QuickplayClaim::NoWinning },
    }

    claims -> Claim {
        Claim::Threefold => Claim::Threefold,
        Claim::FiftyMoves => Claim::FiftyMoves,
        Claim::ThreefoldWith(_) => Claim::ThreefoldWith(mv("g8", "f6")),
        Claim::FiftyMovesWith(_) => Claim::FiftyMovesWith(mv("g8", "f6")),
        Claim::Flag => Claim::Flag,
        Claim::Absence => Claim::Absence,
        Claim::Increment => Claim::Increment,
        Claim::NoWinning => Claim::NoWinning,
    }
}

/// Every setting of a game's conduct.
pub(crate) fn conducts() -> impl Iterator<Item = Conduct> {
    let usual = Conduct::new(Profile::Online, SpeedClass::Blitz);
    let plain = profiles().into_iter().map(|profile| Conduct::new(profile, SpeedClass::Classical));
    plain
        .chain(touch_moves().into_iter().map(move |touch_move| Conduct { touch_move, ..usual }))
        .chain(illegal_move_rules().into_iter().map(move |illegal_moves| Conduct { illegal_moves, ..usual }))
        .chain(unpromoted_rules().into_iter().map(move |unpromoted| Conduct { unpromoted, ..usual }))
        .chain(flag_falls().into_iter().map(move |flag_fall| Conduct { flag_fall, ..usual }))
        .chain(wrong_claims().into_iter().map(move |wrong_claim| Conduct { wrong_claim, ..usual }))
        .chain(quickplays().into_iter().map(move |quickplay| Conduct { quickplay, ..usual }))
        .chain(arbiter_acts().into_iter().map(move |arbiter| Conduct { arbiter, ..usual }))
        .chain(no_shows().into_iter().map(move |no_show| Conduct { no_show, ..usual }))
        .chain(absences().into_iter().map(move |absence| Conduct { absence, ..usual }))
        .chain(sealed_moves().into_iter().map(move |sealed_move| Conduct { sealed_move, ..usual }))
}

/// What an action may hold besides its one sample.
pub(crate) fn special_actions() -> impl Iterator<Item = Action> {
    let agreed = proposals().into_iter().flat_map(|proposal| {
        [Action::Proposed(proposal), Action::Accepted(proposal), Action::Declined(proposal.matter())]
    });
    agreed
        .chain(irregularities().into_iter().map(|irregularity| moved(Some(irregularity))))
        .chain(absence_claims().into_iter().map(Action::AbsenceClaimed))
        .chain(quickplay_claims().into_iter().map(Action::QuickplayClaimed))
        .chain(suspensions().into_iter().map(Action::Suspended))
        .chain(orders().into_iter().map(|order| Action::Ruled(decision(order))))
        .chain(arbiters().into_iter().map(|arbiter| Action::Started(Terms { arbiter, ..terms() })))
}

/// One for each reason, side and man.
pub(crate) fn all_illegal_moves() -> impl Iterator<Item = IllegalMove> {
    let sides = castling_sides().into_iter().map(|side| IllegalMove::CastlingLost { side });
    let men =
        men().into_iter().map(|role| IllegalMove::NotItsMove { role, from: square("a1"), to: square("h8") });
    illegal_moves().into_iter().chain(sides).chain(men)
}

pub(crate) fn decision(order: Order) -> Decision {
    Decision { order, reason: reason() }
}

pub(crate) fn reason() -> Reason {
    "a telephone rang".parse().unwrap()
}

pub(crate) fn moved(irregularity: Option<Irregularity>) -> Action {
    Action::Moved {
        mv: mv("e7", "e5"),
        charged: Millis(70_000),
        credit: Millis(120),
        house: Millis(3),
        irregularity,
    }
}
