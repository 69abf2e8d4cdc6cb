//! `metnos backup` as a process: a copy that is made while the service answers and others write is a household again,
//! and whatever goes wrong leaves no copy and nothing that could be taken for one.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::{
    collections::BTreeSet,
    fs::{self, File},
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use metnos::{app::DATABASE, store::Store};
use rusqlite::Connection;
use rustix::{
    fs::{CWD, FileType, Mode, mknodat},
    process::{Pid, Signal, kill_process},
};

use crate::support::{homeserver::FakeHomeserver, household::Household, process::Home};

const CHAT: i64 = 42;
/// How long a test waits for something that happens in another process.
const PATIENCE: Duration = Duration::from_secs(60);

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Where copies go.
fn copy_of(household: &Household) -> PathBuf {
    household.data_dir().with_file_name("copy")
}

/// What a copy is called until it is whole.
fn unfinished(copy: &Path) -> PathBuf {
    copy.with_file_name(format!(".{}.metnos-unfinished", copy.file_name().unwrap().display()))
}

async fn back_up(household: &Household, to: &Path) -> Output {
    household.runs(&["backup", &to.display().to_string()]).await
}

/// Every file, folder and link below a folder, from there on.
fn all_below(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).min_depth(1).into_iter();
    entries
        .map(|entry| entry.unwrap().path().strip_prefix(folder).unwrap().to_owned())
        .collect()
}

/// Writes the same number into two rows, again and again, each time in one transaction.
struct Writer {
    stop: Arc<AtomicBool>,
    written: Arc<AtomicI64>,
    thread: thread::JoinHandle<()>,
}

impl Writer {
    fn start(database: &Path) -> Self {
        let connection = Connection::open(database).unwrap();
        connection.busy_timeout(PATIENCE).unwrap();
        let (stop, written) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(0)));
        let (stopped, counted) = (Arc::clone(&stop), Arc::clone(&written));
        let thread = thread::spawn(move || {
            while !stopped.load(Ordering::Acquire) {
                let number = counted.load(Ordering::Acquire) + 1;
                let both = format!(
                    "BEGIN IMMEDIATE;
                     INSERT OR REPLACE INTO cursors (channel, value) VALUES ('left', {number});
                     INSERT OR REPLACE INTO cursors (channel, value) VALUES ('right', {number});
                     COMMIT;"
                );
                connection.execute_batch(&both).unwrap();
                counted.store(number, Ordering::Release);
            }
        });
        Self { stop, written, thread }
    }

    /// How often it wrote, once it has written again.
    fn written(&self) -> i64 {
        let before = self.written.load(Ordering::Acquire);
        wait_until("something is written", || self.written.load(Ordering::Acquire) > before);
        self.written.load(Ordering::Acquire)
    }

    fn end(self) {
        self.stop.store(true, Ordering::Release);
        self.thread.join().unwrap();
    }
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "did not happen: {what}");
        #[expect(clippy::disallowed_methods, reason = "a test may wait")]
        thread::sleep(Duration::from_millis(2));
    }
}

/// A database as a library keeps it beside ours: open, with a row that is written ahead only.
fn database_of_a_library(path: &Path) -> Connection {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE keys (key TEXT); INSERT INTO keys VALUES ('k');")
        .unwrap();
    connection
}

fn text(database: &Path, sql: &str) -> String {
    let connection = Connection::open(database).unwrap();
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// A household with everything that can lie in a data folder, its service running, and a card that waits.
async fn in_the_middle_of_things() -> (Household, Connection) {
    let mut household = Household::new(&[CHAT]).await;
    household.serve();
    fs::write(household.home().join("old.txt"), "old").unwrap();
    household.telegram.says(CHAT, "write \"milk\" to ~/list.txt");
    household.hears(CHAT, 1).await;
    household.telegram.says(CHAT, "delete ~/old.txt");
    assert!(household.hears(CHAT, 2).await[1].contains("May I delete"));
    household.all_noted(CHAT).await;
    let data = household.data_dir();
    let library = database_of_a_library(&data.join("matrix/store/matrix-sdk-state.sqlite3"));
    fs::write(data.join("matrix/position"), "s7").unwrap();
    fs::create_dir_all(data.join("guests/guest_1")).unwrap();
    fs::write(data.join("guests/guest_1/broken.sqlite"), "theirs, as it is").unwrap();
    symlink("/nowhere/at/all", data.join("guests/guest_1/link")).unwrap();
    // What only a running metnos needs.
    fs::write(data.join("logs/llama-server.log"), "loading").unwrap();
    fs::write(data.join("matrix/position.new"), "s8").unwrap();
    let pipe = data.join("pipe");
    mknodat(CWD, pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    (household, library)
}

/// All that was there is in the copy, for its owner only, and nothing else.
fn assert_complete(data: &Path, copy: &Path) {
    let mut expected = all_below(data);
    expected.retain(|path| {
        let name = path.display().to_string();
        let is_left_out = ["metnos.lock", "pipe", "logs/llama-server.log", "matrix/position.new"].contains(&&*name);
        !is_left_out && !name.ends_with("-wal") && !name.ends_with("-shm")
    });
    expected.insert(PathBuf::from("config.toml"));
    assert_eq!(all_below(copy), expected);
    for path in expected {
        let about = copy.join(&path).symlink_metadata().unwrap();
        let mode = about.permissions().mode() & 0o777;
        let expected = if about.is_dir() || path.ends_with("run.sh") {
            0o700
        } else {
            0o600
        };
        assert!(about.is_symlink() || mode == expected, "{}: {mode:o}", path.display());
    }
    for same in [
        "seal.key",
        "keys/author_priv.bin",
        "matrix/position",
        "guests/guest_1/broken.sqlite",
    ] {
        assert_eq!(
            fs::read(copy.join(same)).unwrap(),
            fs::read(data.join(same)).unwrap(),
            "{same}"
        );
        let date = |folder: &Path| folder.join(same).metadata().unwrap().modified().unwrap();
        assert_eq!(date(copy), date(data), "{same}");
    }
}

#[tokio::test]
async fn a_copy_made_while_others_write_is_whole_and_of_one_moment() {
    let (household, library) = in_the_middle_of_things().await;
    let (data, copy) = (household.data_dir(), copy_of(&household));
    let writer = Writer::start(&data.join(DATABASE));
    let before = writer.written();
    let made = back_up(&household, &copy).await;
    let after = writer.written();
    writer.end();
    assert!(made.status.success(), "{made:?}");
    let told = out(&made);
    let whole = format!("The copy is whole: {}", copy.display());
    for words in [whole.as_str(), " KB)", "keys", "METNOS_DATA_DIR"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_complete(&data, &copy);
    assert!(!unfinished(&copy).exists());
    let config = fs::read_to_string(data.with_file_name("config.toml")).unwrap();
    assert_eq!(fs::read_to_string(copy.join("config.toml")).unwrap(), config);

    let of_library = copy.join("matrix/store/matrix-sdk-state.sqlite3");
    assert_eq!(text(&of_library, "SELECT key FROM keys"), "k");
    drop(library);
    let pair = text(
        &copy.join(DATABASE),
        "SELECT group_concat(value, ' ') FROM cursors WHERE channel IN ('left', 'right')",
    );
    let (left, right) = pair.split_once(' ').unwrap();
    assert_eq!(left, right);
    assert!(
        (before..=after).contains(&left.parse::<i64>().unwrap()),
        "{before} {left} {after}"
    );
}

#[tokio::test]
async fn a_copy_in_the_place_of_what_was_lost_goes_on_where_it_was() {
    let (mut household, _library) = in_the_middle_of_things().await;
    let (data, copy) = (household.data_dir(), copy_of(&household));
    let made = back_up(&household, &copy).await;
    assert!(made.status.success(), "{made:?}");
    // The question that waits is sealed there, and opens with the key beside it.
    let sealed = text(
        &copy.join(DATABASE),
        "SELECT request FROM dialogs WHERE state = 'waiting'",
    );
    assert!(sealed.starts_with("sealed:"), "{sealed}");
    let store = Store::open(&copy.join(DATABASE)).unwrap();
    let open = store.overdue_dialogs(i64::MAX).await.unwrap();
    assert!(open[0].request.contains("delete ~/old.txt"), "{open:?}");
    drop(store);

    household.kill();
    fs::rename(&data, data.with_file_name("lost")).unwrap();
    fs::rename(&copy, &data).unwrap();
    household.serve();
    household.telegram.taps(CHAT, "Approve");
    let old = household.home().join("old.txt");
    household.until("it is deleted", CHAT, |_| !old.exists()).await;
    household.telegram.says(CHAT, "undo");
    household.until("it is back", CHAT, |_| old.exists()).await;
    // The configuration that came with the copy is not taken for today's.
    household.configure("language = \"it\"\n");
    let again = back_up(&household, &copy).await;
    assert!(
        again.status.success() && out(&again).contains("La copia è intera"),
        "{again:?}"
    );
    let config = fs::read_to_string(copy.join("config.toml")).unwrap();
    assert_eq!(config, "language = \"it\"\n");
}

/// The session, its store and the place in the server's events fit together, although the bot was at work.
#[tokio::test]
async fn a_bot_on_matrix_comes_back_from_a_copy_and_answers_nothing_twice() {
    let (server, home) = (FakeHomeserver::start().await, Home::new());
    server.settle(&home);
    let mut service = home.serve(&[]);
    service.prints("metnos is running").await;
    server.asks("what time is it", "It's").await;
    server
        .until("it is noted", |_| {
            home.rows("SELECT count(*) || '' FROM outbox WHERE state = 'waiting'") == ["0"]
        })
        .await;
    let (data, copy) = (home.data_dir(), home.data_dir().with_file_name("copy"));
    let (made, told) = home.run(&["backup", &copy.display().to_string()], "").await;
    assert!(made, "{told}");
    let crypto = Path::new("matrix/store/matrix-sdk-crypto.sqlite3");
    let tables = "SELECT count(*) || '' FROM sqlite_master";
    assert_ne!(
        text(&copy.join(crypto), tables),
        "0",
        "the store of the keys has its tables"
    );
    service.kill().await;
    fs::rename(&data, data.with_file_name("lost")).unwrap();
    fs::rename(&copy, &data).unwrap();
    let mut service = home.serve(&[]);
    service.prints("metnos is running").await;
    server.asks("who are you", "metnos").await;
    service.terminate().await;
    let times = server.answers().into_iter().map(|content| content["body"].to_string());
    assert_eq!(times.filter(|body| body.contains("It's")).count(), 1);
}

#[tokio::test]
async fn what_was_written_before_a_crash_is_in_the_copy_and_keys_elsewhere_are_named() {
    let mut household = Household::new(&[CHAT]).await;
    household.serve();
    household.telegram.says(CHAT, "/me name Zenobia");
    household.hears(CHAT, 1).await;
    household.kill();
    let data = household.data_dir();
    let ahead = data.join("metnos.sqlite-wal").metadata().unwrap().len();
    assert!(ahead > 0, "nothing was written ahead");
    let token = household.home().join("bot.token");
    fs::write(&token, "123:abc").unwrap();
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
    household.configure("[telegram]\ntoken_file = \"~/bot.token\"\n");
    // A folder that is there and empty will do.
    let copy = copy_of(&household);
    fs::create_dir(&copy).unwrap();
    let made = back_up(&household, &copy).await;
    assert!(made.status.success(), "{made:?}");
    assert!(
        out(&made).contains(&format!("elsewhere: {}.", token.display())),
        "{made:?}"
    );
    assert_eq!(
        text(&copy.join(DATABASE), "SELECT name FROM actors WHERE id = 'host'"),
        "Zenobia"
    );
    assert_eq!(
        data.join("metnos.sqlite-wal").metadata().unwrap().len(),
        ahead,
        "the original is as it was"
    );
}

#[tokio::test]
async fn a_place_where_no_copy_can_be_is_refused_before_anything_is_written() {
    let household = Household::bare().await;
    let (data, home) = (household.data_dir(), household.home());
    let nothing = back_up(&household, &copy_of(&household)).await;
    assert!(err(&nothing).contains("There is nothing to copy"), "{nothing:?}");
    assert!(!data.exists(), "looking makes nothing");
    household.pair(&[CHAT]).await;
    fs::write(home.join("file"), "mine").unwrap();
    symlink(&data, home.join("link")).unwrap();
    // A part of the data that lies elsewhere is data, too.
    let larger = data.with_file_name("larger");
    fs::create_dir(&larger).unwrap();
    symlink(&larger, data.join("guests")).unwrap();
    let files = || {
        let mut files = all_below(data.parent().unwrap());
        // The thread that wrote the database may still be ending.
        files.retain(|path| !path.display().to_string().contains("metnos.sqlite-"));
        files
    };
    let before = files();
    for (to, words) in [
        (home.clone(), "already there"),
        (home.join("file"), "already there"),
        (data.clone(), "inside the data folder"),
        (data.join("copy"), "inside the data folder"),
        (home.join("link/copy"), "inside the data folder"),
        (larger.join("copy"), "inside the data folder"),
        (home.join("none/copy"), "there is no folder"),
    ] {
        let refused = back_up(&household, &to).await;
        let told = err(&refused);
        assert_eq!(refused.status.code(), Some(1), "{to:?}: {refused:?}");
        assert!(
            told.contains(words) && told.contains("Nothing was copied"),
            "{to:?}: {told}"
        );
    }
    assert_eq!(files(), before);
    assert_eq!(fs::read_to_string(home.join("file")).unwrap(), "mine");
}

/// Nothing is left of a copy that failed: no folder under its name, and none beside it.
fn assert_failed(output: &Output, copy: &Path, words: &[&str]) {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = err(output);
    assert!(words.iter().all(|word| told.contains(word)), "{words:?}: {told}");
    assert!(
        !copy.exists() && !unfinished(copy).exists(),
        "something is left: {told}"
    );
}

#[tokio::test]
async fn what_cannot_be_read_or_is_damaged_leaves_no_copy() {
    let household = Household::bare().await;
    household.pair(&[CHAT]).await;
    let (data, copy) = (household.data_dir(), copy_of(&household));
    // The disk that a part of it is on is not there.
    symlink("/nowhere/at/all", data.join("history")).unwrap();
    let failed = back_up(&household, &copy).await;
    assert_failed(
        &failed,
        &copy,
        &["data/history cannot be read", "its disk is there", "No such file"],
    );
    fs::remove_file(data.join("history")).unwrap();
    // A file that opens, and then fails: nobody can read the beginning of a process's memory.
    symlink("/proc/self/mem", data.join("guests")).unwrap();
    let failed = back_up(&household, &copy).await;
    assert_failed(&failed, &copy, &["/mem cannot be read", "Input/output error"]);
    fs::remove_file(data.join("guests")).unwrap();

    let store = data.join("matrix/store/matrix-sdk-crypto.sqlite3");
    let library = database_of_a_library(&store);
    library
        .execute_batch("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;")
        .unwrap();
    let failed = back_up(&household, &copy).await;
    assert_failed(&failed, &copy, &["crypto.sqlite3 is kept busy", "stop metnos"]);
    drop(library);
    fs::write(&store, "no database at all, though it is called one").unwrap();
    let failed = back_up(&household, &copy).await;
    assert_failed(&failed, &copy, &["crypto.sqlite3 is damaged", "metnos doctor"]);
    fs::remove_file(&store).unwrap();

    let ours = Connection::open(data.join(DATABASE)).unwrap();
    ours.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(ours);
    let mut bytes = fs::read(data.join(DATABASE)).unwrap();
    let half = bytes.len() / 2 / 4096 * 4096;
    bytes[half..half + 4096].fill(0xA5);
    fs::write(data.join(DATABASE), bytes).unwrap();
    let mut command = household.metnos(&["backup", &copy.display().to_string()]);
    let failed = command.env("LANG", "it_IT.UTF-8").output().unwrap();
    assert_failed(&failed, &copy, &["metnos.sqlite è danneggiato", "rimetti l'ultima"]);
}

/// The command with a limit for the size of files, as a disk of another kind has one.
fn with_small_files(command: &Command) -> Command {
    let mut limited = Command::new("/bin/sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"])
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear()
        .stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        limited.env(name, value.unwrap());
    }
    limited
}

#[tokio::test]
async fn what_cannot_be_written_leaves_no_copy() {
    let household = Household::bare().await;
    household.pair(&[CHAT]).await;
    let (data, copy) = (household.data_dir(), copy_of(&household));
    let command = household.metnos(&["backup", &copy.display().to_string()]);
    let failed = with_small_files(&command).output().unwrap();
    assert_failed(&failed, &copy, &["cannot be written to", "another folder"]);
    // A folder in which nobody may make anything.
    let closed = Path::new("/proc/copy");
    let failed = back_up(&household, closed).await;
    assert_failed(&failed, closed, &["cannot be written to /proc"]);
    assert!(data.join(DATABASE).exists());
}

#[tokio::test]
async fn a_second_copy_at_once_is_refused_and_one_that_broke_off_is_cleared_away() {
    let household = Household::bare().await;
    household.pair(&[CHAT]).await;
    let copy = copy_of(&household);
    let begun = unfinished(&copy);
    fs::create_dir(&begun).unwrap();
    fs::write(begun.join("seal.key"), "of then").unwrap();
    let lock = File::create(begun.join("metnos.lock")).unwrap();
    lock.lock().unwrap();
    let second = back_up(&household, &copy).await;
    assert_eq!(second.status.code(), Some(1), "{second:?}");
    assert!(err(&second).contains("Another copy is being written"), "{second:?}");
    assert!(begun.join("seal.key").exists() && !copy.exists());
    drop(lock);
    let next = back_up(&household, &copy).await;
    assert!(next.status.success(), "{next:?}");
    assert!(!begun.exists() && !copy.join("metnos.lock").exists());
    assert_ne!(fs::read(copy.join("seal.key")).unwrap(), b"of then");
}

/// A copy that is in the middle of a large file.
fn begin(household: &Household, copy: &Path) -> Child {
    let mut command = household.metnos(&["backup", &copy.display().to_string()]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let large = unfinished(copy).join("guests/large");
    wait_until("the large file is begun", || {
        large.metadata().is_ok_and(|about| about.len() > 0)
    });
    child
}

#[tokio::test]
async fn a_copy_that_is_stopped_or_killed_is_none() {
    let household = Household::bare().await;
    household.pair(&[CHAT]).await;
    let (guests, copy) = (household.data_dir().join("guests"), copy_of(&household));
    fs::create_dir(&guests).unwrap();
    File::create(guests.join("large")).unwrap().set_len(2 << 30).unwrap();

    let stopped = begin(&household, &copy);
    let id = Pid::from_raw(i32::try_from(stopped.id()).unwrap()).unwrap();
    kill_process(id, Signal::INT).unwrap();
    assert_failed(
        &stopped.wait_with_output().unwrap(),
        &copy,
        &["Stopped. There is no copy."],
    );

    let mut killed = begin(&household, &copy);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(
        unfinished(&copy).exists() && !copy.exists(),
        "it is not taken for a copy"
    );
    fs::write(guests.join("large"), "small").unwrap();
    let next = back_up(&household, &copy).await;
    assert!(next.status.success(), "{next:?}");
    assert!(!unfinished(&copy).exists());
    assert_eq!(fs::read_to_string(copy.join("guests/large")).unwrap(), "small");
}
