//! Requests that are malformed in many ways. The memory that is measured is that of the whole process, so this is a program of
//! its own, with nothing beside it.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod common;

use bolshak_proto::v1;
use common::{Running, query, shared_tables};
use tonic::transport::Channel;
use tonic::{Code, Request};

/// A small generator of numbers, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn bytes(&mut self, length: u64) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}

/// Sends any bytes at all as a message, and drops the answer.
async fn send_bytes(channel: Channel, call: &'static str, message: Vec<u8>) -> Code {
    let mut client = tonic::client::Grpc::new(channel);
    client.ready().await.unwrap();
    let path = axum::http::uri::PathAndQuery::from_static(call);
    let sent: Result<tonic::Response<Vec<u8>>, _> = client.unary(Request::new(message), path, RawCodec).await;
    sent.map_or_else(|status| status.code(), |_| Code::Ok)
}

#[derive(Clone)]
struct RawCodec;

impl tonic::codec::Codec for RawCodec {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        RawCodec
    }

    fn decoder(&mut self) -> Self {
        RawCodec
    }
}

impl tonic::codec::Encoder for RawCodec {
    type Item = Vec<u8>;
    type Error = tonic::Status;

    fn encode(&mut self, item: Vec<u8>, buffer: &mut tonic::codec::EncodeBuf<'_>) -> Result<(), tonic::Status> {
        bytes::BufMut::put_slice(buffer, &item);
        Ok(())
    }
}

impl tonic::codec::Decoder for RawCodec {
    type Item = Vec<u8>;
    type Error = tonic::Status;

    fn decode(&mut self, buffer: &mut tonic::codec::DecodeBuf<'_>) -> Result<Option<Vec<u8>>, tonic::Status> {
        let length = bytes::Buf::remaining(buffer);
        Ok(Some(bytes::Buf::copy_to_bytes(buffer, length).to_vec()))
    }
}

const CALLS: [&str; 9] = [
    "/bolshak.v1.TablebaseService/Probe",
    "/bolshak.v1.TablebaseService/ProbeBatch",
    "/bolshak.v1.TablebaseService/BestMoves",
    "/bolshak.v1.TablebaseService/Coverage",
    "/bolshak.v1.TablebaseService/Stats",
    "/bolshak.v1.TablebaseService/Nothing",
    "/bolshak.v1.ArbiterService/VerifyGame",
    "/bolshak.v1.ArbiterService/VerifyClaim",
    "/bolshak.v1.ArbiterService/Adjudicate",
];

fn any_query(random: &mut Random) -> v1::Query {
    let fens = ["W:WKa1:BKh8", "W:Wa2:B", "", "\u{0}", "W:WK1-32:B", "B:W:B", "W:Wа1:Bh8"];
    let position = match random.below(4) {
        0 => v1::position::Form::Fen(fens[random.below(7) as usize].to_owned()),
        1 => {
            let length = random.below(2000);
            v1::position::Form::Fen(String::from_utf8_lossy(&random.bytes(length)).into_owned())
        }
        _ => v1::position::Form::Bitboards(v1::Bitboards {
            white_men: random.next() >> random.below(64),
            white_kings: random.next() >> random.below(64),
            black_men: random.next() >> random.below(64),
            black_kings: random.next() >> random.below(64),
            turn: random.below(4) as i32 - 1,
        }),
    };
    let mut count = || (random.next() >> random.below(64)) as u32;
    v1::Query {
        position: Some(v1::Position { form: Some(position) }),
        counters: Some(v1::Counters { ratio_plies: count(), kings_plies: count(), road_moves: count() }),
        rule_set: "x".repeat(count() as usize % 2000),
        ..Default::default()
    }
}

fn any_claim(random: &mut Random) -> v1::VerifyClaimRequest {
    let pdn = ["", "1. c3-d4 b6-a5", "[FEN \"W:WKa1:BKh2\"] 1. a1-b2 h2-g1 *", "[FEN \"", "{((1...", "\u{0}"];
    let length = random.below(2_000);
    let pdn = match random.below(2) {
        0 => random.bytes(length),
        _ => pdn[random.below(6) as usize].repeat(1 + random.below(40) as usize).into_bytes(),
    };
    let mut number = || (random.next() >> random.below(64)) as u32;
    let offer = v1::Offer { side: number() as i32, ply: number(), answer: number() as i32 % 3, ..Default::default() };
    let claim = v1::Claim {
        article: format!("1.9.1.{}", number() % 9),
        side: (number() % 4) as i32,
        ply: number(),
        intended: "a1-b2".repeat(number() as usize % 3),
        no_record: number() % 2 == 0,
        flag: (number() % 5) as i32,
        offers: vec![offer; number() as usize % 3],
    };
    v1::VerifyClaimRequest { pdn, game: number() % 3, claim: Some(claim), ..Default::default() }
}

/// One malformed request of many kinds.
fn malformed(random: &mut Random) -> Vec<u8> {
    use prost::Message;
    let length = random.below(300);
    match random.below(6) {
        0 => random.bytes(length),
        1 => v1::ProbeRequest { query: Some(any_query(random)), answer_mask: None }.encode_to_vec(),
        // A string that is not UTF-8, and a length that goes beyond the message.
        2 => [&[0x0a, 0x06, 0x0a, 0x04, 0x0a, 0x02, 0xff, 0xfe][..], &random.bytes(length / 9)].concat(),
        3 => [&[0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f][..], &random.bytes(length)].concat(),
        4 => any_claim(random).encode_to_vec(),
        _ => {
            let (white, black) = (random.below(50) as usize, random.below(50) as usize);
            let columns = v1::StateColumns {
                white: (0..white).map(|_| random.next()).collect(),
                black: (0..black).map(|_| random.next() >> 32).collect(),
                turns: random.bytes(white as u64),
                ..Default::default()
            };
            let states = Some(v1::probe_batch_request::States::Columns(columns));
            v1::ProbeBatchRequest { states, ..Default::default() }.encode_to_vec()
        }
    }
}

fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_malformed_requests() {
    let running = Running::start(shared_tables()).await;
    let channel = running.channel().await;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut seen = std::collections::BTreeMap::new();
    let mut settled = 0;
    for round in 0..10_000 {
        let code = send_bytes(channel.clone(), CALLS[random.below(9) as usize], malformed(&mut random)).await;
        *seen.entry(code.description()).or_insert(0) += 1;
        assert!(
            !matches!(code, Code::Unknown | Code::Internal | Code::Unavailable | Code::DataLoss),
            "{code:?} in round {round}"
        );
        if round == 5_000 {
            settled = resident_bytes();
        }
    }
    let grown = resident_bytes().saturating_sub(settled);
    assert!(grown < 4 << 20, "memory grew by {grown} bytes over the second half");
    assert!(seen.len() >= 3, "{seen:?}");

    // More than a message may hold.
    let large = send_bytes(channel.clone(), CALLS[0], vec![0; (4 << 20) + 1]).await;
    assert_eq!(large, Code::OutOfRange);
    let sane = v1::ProbeRequest { query: Some(query("W:WKa1:BKh8")), answer_mask: None };
    assert!(running.client().await.probe(sane).await.is_ok());
    drop(channel);
    running.stop().await;
}
