//! How players come in: thousands of them, from a few sockets of this process.

use crate::host::{Kind, Whereabouts};
use chatrang_protocol::net::endpoint::udp_socket;
use chatrang_tests::house::{any_port, new_key};
use chatrang_tests::wire::{Wire, hello};
use quinn::{Endpoint, EndpointConfig, TokioRuntime};
use std::ops::Range;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Sockets that the connections share: thousands of sockets would cost more than what is measured.
const SOCKETS: usize = 8;

/// Players who come in at the same time: few enough that the server asks for no Retry.
const ENTERING_MAX: usize = 48;

/// Sockets from which players connect.
#[derive(Clone, Debug)]
pub(crate) struct Doors {
    place: Whereabouts,
    endpoints: Vec<Endpoint>,
    entering: Arc<Semaphore>,
}

impl Doors {
    /// Doors to a server or relay.
    pub(crate) fn to(place: Whereabouts) -> anyhow::Result<Self> {
        let endpoint = || -> anyhow::Result<Endpoint> {
            let socket = udp_socket(any_port())?;
            Ok(Endpoint::new(EndpointConfig::default(), None, socket, Arc::new(TokioRuntime))?)
        };
        let endpoints = (0..SOCKETS).map(|_| endpoint()).collect::<Result<_, _>>()?;
        Ok(Self { place, endpoints, entering: Arc::new(Semaphore::new(ENTERING_MAX)) })
    }

    /// Lets everybody of these numbers in.
    pub(crate) async fn enter_all(&self, numbers: Range<u32>) -> Vec<Wire> {
        let mut entering = JoinSet::new();
        for number in numbers {
            let doors = self.clone();
            entering.spawn(async move { doors.enter(number).await });
        }
        entering.join_all().await
    }

    /// Lets one in: a connection with its control stream, on which he has said hello and is welcome.
    async fn enter(&self, number: u32) -> Wire {
        let _turn = self.entering.acquire().await.expect("it is never closed");
        let endpoint = self.endpoints[number as usize % SOCKETS].clone();
        let Whereabouts { kind, address, fingerprint } = self.place;
        let mut wire = Wire::dial_from(endpoint, address, fingerprint, &new_key()).await;
        match kind {
            Kind::Server => drop(wire.welcome(&hello(&format!("Player-{number}"))).await),
            Kind::Relay => {
                wire.control.give(hello("Nobody")).await;
                wire.control.take_bytes().await;
            }
        }
        wire
    }
}
