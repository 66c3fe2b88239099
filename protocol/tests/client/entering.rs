//! Getting in: the welcome, denials, and whether the server is whom the client expects.

use crate::scripted::{House, handle};
use crate::{settings, talk};
use chatrang_protocol::client::connect::{ConnectError, Knock};
use chatrang_protocol::client::{Client, Pin, Settings};
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::hello::Denial;
use chatrang_protocol::key::SecretKey;

#[tokio::test]
async fn a_client_is_in_when_it_is_welcome() {
    let house = House::open();
    let ((client, caller), key) = talk(async {
        let entering = async {
            let caller = house.caller().await;
            let hello = caller.hello.clone();
            (caller.welcome().await, hello)
        };
        let (client, guest) = tokio::join!(Client::connect(settings(&house)), entering);
        ((client.unwrap(), guest), house.key.public_key())
    })
    .await;
    let (_guest, hello) = caller;
    assert_eq!(hello.handle, Some(handle("Shirin")));
    assert_eq!(hello.invite, None);
    assert_eq!(client.welcome().handle, handle("Shirin"));
    assert_eq!(client.fingerprint(), key.fingerprint());
}

#[tokio::test]
async fn a_denial_is_told_as_it_was_said() {
    let house = House::open();
    let (client, ()) = talk(async {
        tokio::join!(Client::connect(settings(&house)), async {
            house.caller().await.deny(Denial::InviteNeeded).await;
        })
    })
    .await;
    let error = client.unwrap_err();
    assert_eq!(error, ConnectError::Denied(Denial::InviteNeeded));
    assert!(error.is_final());
}

#[tokio::test]
async fn a_changed_key_names_both_fingerprints() {
    let house = House::open();
    let pinned = SecretKey::generate().unwrap().public_key().fingerprint();
    let presented = house.key.public_key().fingerprint();
    let settings = Settings { pin: Pin::Fingerprint(pinned), ..settings(&house) };
    let error = talk(async {
        tokio::select! {
            knocked = Knock::new(settings) => knocked.unwrap_err(),
            _ = house.caller() => unreachable!("the client speaks to a server whose key it does not know"),
        }
    })
    .await;
    assert_eq!(error, ConnectError::ServerKeyChanged { pinned, presented });
    assert!(error.is_final());
    let sentence = error.to_string();
    assert!(sentence.contains(&pinned.to_string()) && sentence.contains(&presented.to_string()));
}

#[tokio::test]
async fn trust_on_first_use_says_nothing_before_the_caller_has_decided() {
    let house = House::open();
    talk(async {
        let settings = Settings { pin: Pin::Learn, ..settings(&house) };
        let (knock, connection) = tokio::join!(Knock::new(settings), house.silent_caller());
        let knock = knock.unwrap();
        assert_eq!(knock.fingerprint(), house.key.public_key().fingerprint());
        // The server has waited long enough; the person at the keyboard has not.
        connection.close(CloseCode::HelloTimeout.into(), b"");
        let (client, _guest) = tokio::join!(knock.enter(), house.guest());
        assert_eq!(client.unwrap().fingerprint(), house.key.public_key().fingerprint());
    })
    .await;
}

#[tokio::test]
async fn a_server_that_nobody_can_look_up_is_named() {
    let settings =
        Settings::new("no-such-host.invalid:7777".parse().unwrap(), SecretKey::generate().unwrap());
    let error = talk(Client::connect(settings)).await.unwrap_err();
    assert!(matches!(&error, ConnectError::UnknownHost { host, .. } if host == "no-such-host.invalid"));
    assert!(!error.is_final());
}
