//! A connection without the SDK's manners: any frame, any bytes, at any moment.

use crate::house::{House, any_port};
use crate::patience::soon;
use chatrang_protocol::client_frame::ClientFrame;
use chatrang_protocol::close::CloseCode;
use chatrang_protocol::codec::{self, Decode, Text};
use chatrang_protocol::hello::{Hello, HelloReply, Welcome};
use chatrang_protocol::ids::{GameId, IntentId, Seq};
use chatrang_protocol::intent::{Attach, Intent, IntentError, IntentFrame};
use chatrang_protocol::key::{Fingerprint, SecretKey};
use chatrang_protocol::limits;
use chatrang_protocol::net::endpoint::{client_config, udp_socket};
use chatrang_protocol::net::stream::{FrameReceiver, ReceiveError, encode_frame};
use chatrang_protocol::net::tls::{Pin, client_tls};
use chatrang_protocol::version;
use chatrang_protocol::view::{GameFrame, Snapshot};
use quinn::{ClientConfig, Connection, Endpoint, EndpointConfig, SendStream, TokioRuntime, TransportConfig};
use std::net::SocketAddr;
use std::sync::Arc;

/// A connection with its control stream; closed when dropped.
#[derive(Debug)]
pub struct Wire {
    /// quinn's connection.
    pub connection: Connection,
    /// The first stream.
    pub control: WireStream,
    endpoint: Endpoint,
}

/// Both halves of a stream.
#[derive(Debug)]
pub struct WireStream {
    /// The sending half.
    pub sender: SendStream,
    receiver: FrameReceiver,
}

/// A hello as this build says it.
pub fn hello(name: &str) -> Hello {
    Hello {
        minor: version::MINOR,
        minor_min: version::MINOR_MIN,
        features: 0,
        agent: Text::cut("wire"),
        handle: Some(crate::house::handle(name)),
        invite: None,
    }
}

/// A message as the bytes of its frame.
pub fn framed(message: impl Into<ClientFrame>) -> Vec<u8> {
    encode_frame(&message.into(), limits::CLIENT_FRAME_BYTES_MAX).unwrap().into()
}

impl Wire {
    /// Shakes hands and says nothing.
    pub async fn dial(house: &House, key: &SecretKey) -> Self {
        Self::dial_with(house, key, None).await
    }

    /// The same as a client that lets the server have so much under way on one stream.
    pub async fn dial_narrow(house: &House, key: &SecretKey, stream_window_bytes: u32) -> Self {
        let mut transport = TransportConfig::default();
        transport.stream_receive_window(stream_window_bytes.into());
        Self::dial_with(house, key, Some(transport)).await
    }

    /// The same as a client that lets the server send nothing before it
    /// [opens its window](Self::open_window).
    pub async fn dial_shut(house: &House, key: &SecretKey) -> Self {
        let mut transport = TransportConfig::default();
        transport.receive_window(0_u32.into());
        Self::dial_with(house, key, Some(transport)).await
    }

    /// The same by a way of its own, as a client that takes a silence of `idle` for the connection's end; the
    /// shorter patience of both ends counts.
    pub async fn dial_impatient(
        house: &House,
        address: SocketAddr,
        key: &SecretKey,
        idle: std::time::Duration,
    ) -> Self {
        let mut transport = TransportConfig::default();
        transport.max_idle_timeout(Some(idle.try_into().unwrap()));
        transport.keep_alive_interval(Some(idle / 4));
        Self::connect(address, house.fingerprint, key, Some(transport)).await
    }

    /// Goes on from another local socket, as a device does that has changed its network.
    pub fn move_to_another_socket(&self) {
        self.endpoint.rebind(udp_socket(any_port()).unwrap()).unwrap();
    }

    /// Lets the server send.
    pub fn open_window(&self) {
        self.connection.set_receive_window(limits::CLIENT_RECEIVE_WINDOW_BYTES.into());
    }

    /// Shakes hands with any server and says nothing.
    pub async fn dial_at(address: SocketAddr, fingerprint: Fingerprint, key: &SecretKey) -> Self {
        Self::connect(address, fingerprint, key, None).await
    }

    /// The same as a client that lets the server have so much under way on one stream.
    pub async fn dial_narrow_at(
        address: SocketAddr,
        fingerprint: Fingerprint,
        key: &SecretKey,
        stream_window_bytes: u32,
    ) -> Self {
        let mut transport = TransportConfig::default();
        transport.stream_receive_window(stream_window_bytes.into());
        Self::connect(address, fingerprint, key, Some(transport)).await
    }

    async fn dial_with(house: &House, key: &SecretKey, transport: Option<TransportConfig>) -> Self {
        Self::connect(house.address, house.fingerprint, key, transport).await
    }

    async fn connect(
        address: SocketAddr,
        fingerprint: Fingerprint,
        key: &SecretKey,
        transport: Option<TransportConfig>,
    ) -> Self {
        let socket = udp_socket(any_port()).unwrap();
        let endpoint =
            Endpoint::new(EndpointConfig::default(), None, socket, Arc::new(TokioRuntime)).unwrap();
        let mut config = client_config(&client_tls(key, Pin::Fingerprint(fingerprint)).unwrap());
        if let Some(transport) = transport {
            config.transport_config(Arc::new(transport));
        }
        Self::shake_hands(endpoint, address, config).await
    }

    /// The same from a socket that others dial from as well.
    pub async fn dial_from(
        endpoint: Endpoint,
        address: SocketAddr,
        fingerprint: Fingerprint,
        key: &SecretKey,
    ) -> Self {
        let config = client_config(&client_tls(key, Pin::Fingerprint(fingerprint)).unwrap());
        Self::shake_hands(endpoint, address, config).await
    }

    async fn shake_hands(endpoint: Endpoint, address: SocketAddr, config: ClientConfig) -> Self {
        let connecting = endpoint.connect_with(config, address, "chatrang").unwrap();
        let connection = soon("the handshake", connecting).await.unwrap();
        let control = WireStream::open(&connection).await;
        Self { connection, control, endpoint }
    }

    /// Shakes hands, says hello and is in.
    pub async fn enter(house: &House, key: &SecretKey, name: &str) -> Self {
        let mut wire = Self::dial(house, key).await;
        wire.welcome(&hello(name)).await;
        wire
    }

    /// Says hello and is in.
    pub async fn welcome(&mut self, hello: &Hello) -> Welcome {
        self.control.give(hello.clone()).await;
        match self.control.take().await {
            HelloReply::Welcome(welcome) => welcome,
            HelloReply::Denied(denial) => panic!("not let in: {denial}"),
        }
    }

    /// Another stream.
    pub async fn open(&self) -> WireStream {
        WireStream::open(&self.connection).await
    }

    /// Another stream, attached to a game; with the snapshot it got.
    pub async fn attach(&self, game: GameId) -> (WireStream, Snapshot) {
        let mut stream = self.open().await;
        stream.give(Attach { game, seen: None }).await;
        match stream.take().await {
            GameFrame::Snapshot(snapshot) => (stream, snapshot),
            other => panic!("no snapshot: {other:?}"),
        }
    }

    /// Another stream, which takes a game up after the event `seen`.
    pub async fn resume(&self, game: GameId, seen: Seq) -> WireStream {
        let mut stream = self.open().await;
        stream.give(Attach { game, seen: Some(seen) }).await;
        stream
    }

    /// The code with which the server closes the connection.
    pub async fn closed(&self) -> CloseCode {
        let error = soon("the server to close the connection", self.connection.closed()).await;
        match CloseCode::of(&error) {
            Some(Ok(code)) => code,
            _ => panic!("lost, and not closed: {error}"),
        }
    }

    /// Hangs up; returns when the server must know.
    pub async fn hang_up(self) {
        self.connection.close(CloseCode::Done.into(), b"");
        soon("the farewell", self.endpoint.wait_idle()).await;
    }
}

impl WireStream {
    async fn open(connection: &Connection) -> Self {
        let (sender, receiver) = soon("a stream", connection.open_bi()).await.unwrap();
        Self { sender, receiver: FrameReceiver::new(receiver, limits::SERVER_FRAME_BYTES_MAX) }
    }

    /// Its two halves, to be read and written by whoever has no time for patience.
    pub fn into_halves(self) -> (SendStream, FrameReceiver) {
        (self.sender, self.receiver)
    }

    /// Tells the server that nothing it says here will be read.
    pub fn stop_reading(&mut self) {
        self.receiver.stop(CloseCode::Done);
    }

    /// Sends a message.
    pub async fn give(&mut self, message: impl Into<ClientFrame>) {
        self.give_bytes(&framed(message)).await;
    }

    /// Sends bytes as they are. A server that has hung up meanwhile does not read them.
    pub async fn give_bytes(&mut self, bytes: &[u8]) {
        let _ = soon("room to write", self.sender.write_all(bytes)).await;
    }

    /// The next message.
    pub async fn take<T: Decode<()>>(&mut self) -> T {
        self.try_take().await.expect("the stream goes on").expect("there is another message")
    }

    /// The next message's bytes.
    pub async fn take_bytes(&mut self) -> Vec<u8> {
        soon("a message", self.receiver.next()).await.expect("the stream goes on").expect("there is another")
    }

    /// The next message's bytes, or none at the stream's end.
    pub async fn try_take_bytes(&mut self) -> Option<Vec<u8>> {
        soon("a message", self.receiver.next()).await.expect("a stream that ends, and is not reset")
    }

    /// The next message, or none at the stream's end.
    ///
    /// # Errors
    /// Why the stream is gone.
    pub async fn try_take<T: Decode<()>>(&mut self) -> Result<Option<T>, ReceiveError> {
        let bytes = soon("a message", self.receiver.next()).await?;
        Ok(bytes.map(|bytes| codec::decode(&bytes).unwrap()))
    }

    /// Sends an intent under an id.
    pub async fn intend(&mut self, id: u64, intent: Intent) {
        self.give(IntentFrame { id: IntentId(id), seen: Seq(0), intent }).await;
    }

    /// Sends an intent under an id, and waits for what comes of it.
    ///
    /// # Errors
    /// Why it is refused.
    pub async fn ask(&mut self, id: u64, intent: Intent) -> Result<Seq, IntentError> {
        self.intend(id, intent).await;
        self.answer(id).await
    }

    /// What comes of an intent; everything else is passed over.
    ///
    /// # Errors
    /// Why it is refused.
    pub async fn answer(&mut self, id: u64) -> Result<Seq, IntentError> {
        loop {
            if let GameFrame::Answer(answer) = self.take().await
                && answer.intent == IntentId(id)
            {
                return answer.outcome;
            }
        }
    }
}
