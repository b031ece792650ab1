//! The line to PostgreSQL: encrypted where that is asked for, and refused where the server cannot show what is wanted.
//!
//! Besides FLAGPLOT_TEST_POSTGRES this wants FLAGPLOT_TEST_POSTGRES_CERT: the certificate of that server, made for the
//! name `localhost` and signed by itself.

use crate::common::{Database, Site};
use flagplot_server::Options;

/// How many lines to a database are encrypted, and how many there are.
async fn lines(database: &Database) -> (i64, i64) {
    let (client, connection) =
        tokio_postgres::connect(&format!("{}?sslmode=disable", database.address), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let count = "SELECT COUNT(*) FILTER (WHERE s.ssl), COUNT(*) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) \
        WHERE a.datname = current_database() AND pid <> pg_backend_pid()";
    let row = client.query_one(count, &[]).await.unwrap();
    (row.get(0), row.get(1))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_line_is_as_safe_as_the_address_wants() {
    let (Some(first), Ok(certificate)) = (Database::postgres().await, std::env::var("FLAGPLOT_TEST_POSTGRES_CERT"))
    else {
        eprintln!("not run: FLAGPLOT_TEST_POSTGRES and FLAGPLOT_TEST_POSTGRES_CERT name no server");
        return;
    };
    drop(first);
    for (host, query, encrypted) in [
        ("127.0.0.1", "sslmode=disable".to_owned(), Ok(false)),
        ("127.0.0.1", "sslmode=require".to_owned(), Ok(true)),
        ("localhost", format!("sslmode=verify-full&sslrootcert={}", certificate.replace('/', "%2F")), Ok(true)),
        ("127.0.0.1", format!("sslmode=verify-full&sslrootcert={certificate}"), Err("not valid for name")),
        ("127.0.0.1", format!("sslmode=verify-ca&sslrootcert={certificate}"), Ok(true)),
        ("localhost", "sslmode=verify-full".to_owned(), Err("certificate")),
        ("localhost", "sslmode=verify-full&sslrootcert=/dev/null".to_owned(), Err("holds no certificate")),
    ] {
        let database = Database::postgres().await.unwrap();
        let address = format!("{}?{query}", database.address.replace("127.0.0.1", host));
        let opened = flagplot_server::state(Options { database: address, ..database.options() }).await;
        match (opened, encrypted) {
            (Ok(state), Ok(encrypted)) => {
                let site = Site(flagplot_server::app(state.clone()), state);
                assert_eq!(site.duel().await.play(2).await, 2);
                let (safe, all) = lines(&database).await;
                assert!(
                    all >= 2 && safe == if encrypted { all } else { 0 },
                    "{host} {query}: {safe} of {all} lines are encrypted"
                );
            }
            (Err(error), Err(why)) => assert!(error.to_string().contains(why), "{host} {query}: {error}"),
            (opened, _) => panic!("{host} {query}: {:?}", opened.err()),
        }
    }
}
