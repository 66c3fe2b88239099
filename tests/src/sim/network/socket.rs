//! A socket of the network in memory, as quinn wants one.

use super::{Inbox, Line, Network, SERVER};
use quinn::udp::{RecvMeta, Transmit};
use quinn::{AsyncUdpSocket, UdpPoller};
use std::io::{self, IoSliceMut};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

/// One end of the network.
#[derive(Debug)]
pub(super) struct Socket {
    network: Network,
    owner: Owner,
    inbox: Arc<Mutex<Inbox>>,
}

#[derive(Clone, Copy, Debug)]
enum Owner {
    Server,
    Client(Line),
}

impl Socket {
    pub(super) fn of_server(network: Network, inbox: Arc<Mutex<Inbox>>) -> Self {
        Self { network, owner: Owner::Server, inbox }
    }

    pub(super) fn of_client(network: Network, line: Line, inbox: Arc<Mutex<Inbox>>) -> Self {
        Self { network, owner: Owner::Client(line), inbox }
    }
}

impl AsyncUdpSocket for Socket {
    fn create_io_poller(self: Arc<Self>) -> Pin<Box<dyn UdpPoller>> {
        Box::pin(AlwaysWritable)
    }

    fn try_send(&self, transmit: &Transmit<'_>) -> io::Result<()> {
        match self.owner {
            Owner::Server => {
                self.network.send_from_server(&self.inbox, transmit.destination, transmit.contents);
            }
            Owner::Client(line) => self.network.send_from_client(line, transmit.contents),
        }
        Ok(())
    }

    fn poll_recv(
        &self,
        context: &mut Context<'_>,
        buffers: &mut [IoSliceMut<'_>],
        metas: &mut [RecvMeta],
    ) -> Poll<io::Result<usize>> {
        let mut inbox = self.inbox.lock().unwrap();
        let mut taken = 0;
        for (buffer, meta) in buffers.iter_mut().zip(metas) {
            let Some((from, bytes)) = inbox.waiting.pop_front() else { break };
            buffer[..bytes.len()].copy_from_slice(&bytes);
            *meta = RecvMeta { addr: from, len: bytes.len(), stride: bytes.len(), ecn: None, dst_ip: None };
            taken += 1;
        }
        if taken > 0 {
            return Poll::Ready(Ok(taken));
        }
        inbox.waker = Some(context.waker().clone());
        Poll::Pending
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        match self.owner {
            Owner::Server => Ok(SERVER),
            Owner::Client(Line(number)) => Ok(super::address(number, 0)),
        }
    }

    fn may_fragment(&self) -> bool {
        false
    }
}

/// The network takes everything at once.
#[derive(Debug)]
struct AlwaysWritable;

impl UdpPoller for AlwaysWritable {
    fn poll_writable(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
