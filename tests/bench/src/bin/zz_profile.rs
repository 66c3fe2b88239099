use chatrang_bench::*;
fn main() {
    use chatrang_rules::{notation::fen, perft::perft, setup::Strictness};
    let max = option("--leaves-max", 20_000_000);
    let rounds = option("--rounds", 5);
    let us_only = option("--us", 0) == 1; let them_only = option("--them", 0) == 1;
    let mut ratios = vec![];
    let mut speeds = vec![];
    let only = option("--only", 0) as usize;
    for (i, row) in rows(REFERENCE).into_iter().enumerate() { if only != 0 && only != i + 1 { continue; }
        let (depth, leaves) = *row.counts.iter().rev().find(|(_, l)| *l <= max).unwrap();
        let position = fen::parse_position(&row.fen, Strictness::Playable).unwrap();
        let f: Vec<_> = row.fen.split(' ').take(4).collect();
        let e = eschac::setup::Setup::from_text_record(&f.join(" ")).unwrap().into_position().unwrap();
        let (mut a, mut b) = (f64::MAX, f64::MAX);
        for _ in 0..rounds {
            let (n, t) = cpu_timed(|| if them_only { leaves } else { perft(&position, depth) });
            assert_eq!(n, leaves);
            a = a.min(t.as_secs_f64());
            if !us_only {
                let (n, t) = cpu_timed(|| e.perft(depth as usize) as u64);
                assert_eq!(n, leaves);
                b = b.min(t.as_secs_f64());
            }
        }
        print!("{:.1}/{:.1} ", leaves as f64 / a / 1e6, leaves as f64 / b / 1e6);
        ratios.push(b / a);
        speeds.push(leaves as f64 / a / 1e6);
    }
    println!("  ratio {:.3}  speed {:.1}", geometric_mean(ratios), geometric_mean(speeds));
}
