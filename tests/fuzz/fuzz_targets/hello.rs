//! Whatever a stranger introduces himself with, and whatever a server answers, does nothing to the terminal or
//! the log that it is shown in.
//!
//! The first byte chooses who speaks.
#![no_main]

use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::codec;
use chatrang_protocol::hello::HelloReply;
use chatrang_protocol::ids::Handle;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&speaker, message)) = bytes.split_first() else { return };
    if speaker % 2 == 0 {
        let Ok(ClientFrame::Hello(hello)) = codec::decode(message) else { return };
        shown(hello.agent.as_str());
        hello.handle.as_ref().map_or((), name);
        hello.invite.map_or((), |code| assert_eq!(code.to_string().parse(), Ok(code)));
    } else {
        match codec::decode(message) {
            Ok(HelloReply::Welcome(welcome)) => {
                shown(welcome.agent.as_str());
                name(&welcome.handle);
            }
            Ok(HelloReply::Denied(denial)) => shown(&denial.to_string()),
            Err(_) => {}
        }
    }
});

fn name(handle: &Handle) {
    assert_eq!(Handle::new(handle.as_str()).as_ref(), Ok(handle));
    assert!(handle.as_str().bytes().all(|byte| byte.is_ascii_graphic()));
    assert!(!handle.skeleton().as_str().is_empty());
}

fn shown(text: &str) {
    let acts = |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(!text.contains(acts), "{text:?}");
}
