//! Whole conversations: players, spectators and strangers on a real server over real QUIC.

mod arbiter;
mod bot;
mod clock;
mod crash;
mod crowd;
mod draw;
mod evening;
mod faces;
mod faults_at_once;
mod faults_games;
mod faults_paths;
mod faults_restart;
mod faults_store;
mod faults_time;
mod hostile;
mod lag;
mod lobby;
mod metrics;
mod people;
mod play;
mod reconnect;
mod recovery;
mod stop;
mod store;
mod table;
mod tidy;
