//! Every cap that people meet, in one table; what only one file knows of stands in that file, and what a household may
//! change in `config.example.toml`.

use std::time::Duration;

mod home;

pub use home::*;

/// Longest request, in characters; more is refused with a clear sentence.
pub const REQUEST_CHARS_MAX: usize = 4_000;
/// Most clauses one request is split into.
pub const CLAUSES_MAX: usize = 8;
/// Below this nothing runs and the person is asked.
pub const INTENT_CONFIDENCE_MIN: f64 = 0.5;
/// From this confidence on the lexicon is believed without asking the model.
pub const LEXICON_CONFIDENCE_MIN: f64 = 0.8;
/// So many unusable intents in a row are told to the host, once.
pub const MODEL_FAILURES_TO_TELL: u32 = 3;

/// Most steps of one turn.
pub const STEPS_MAX: usize = 30;
/// Most calls of the same executor in one turn.
pub const SAME_EXECUTOR_MAX: usize = 10;
/// The same for executors that take lists, which need no second call.
pub const SAME_VECTOR_EXECUTOR_MAX: usize = 2;
/// The same step failing the same way this often ends the turn.
pub const LOOP_FAILURES_MAX: usize = 2;
/// Characters of a text that a card shows before it is written.
pub const CARD_TEXT_CHARS_MAX: usize = 1_500;
/// Tools shown to the proposer, unless the household says otherwise.
pub const POOL_SIZE: usize = 12;
/// Tools shown to it when one clearly leads.
pub const SHORTLIST_MIN: usize = 5;
/// Tools for any list (filter, sort, compute, …) that have a place in the pool whatever is asked.
pub const HELPERS_MIN: usize = 3;
/// Tools that have a place in the pool because a phrase of their affinity is in the request.
pub const PHRASE_RECALL_MAX: usize = 3;

/// A step result above this many bytes of JSON goes to the scratchpad.
pub const SCRATCHPAD_THRESHOLD_BYTES: usize = 4_096;
/// Characters kept from each end in a scratchpad summary.
pub const SCRATCHPAD_SUMMARY_CHARS: usize = 500;
/// Default characters of one `scratchpad_read`.
pub const SCRATCHPAD_READ_CHARS: usize = 2_000;
/// A scratchpad entry lives this long.
pub const SCRATCHPAD_TTL: Duration = Duration::from_secs(3_600);

/// Default wall-clock limit of an executor, in seconds.
pub const EXECUTOR_TIMEOUT_S: u64 = 30;
/// Most bytes an executor may print; more ends it.
pub const EXECUTOR_OUTPUT_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Address space of an executor process.
pub const EXECUTOR_MEMORY_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;
/// Open files of an executor process.
pub const EXECUTOR_FILES_MAX: u64 = 256;
/// Largest single file an executor may write.
pub const EXECUTOR_FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Most bytes of one web page.
pub const PAGE_BYTES_MAX: usize = 2_000_000;
/// Most redirects followed.
pub const REDIRECTS_MAX: usize = 5;
/// Most web addresses fetched by one step.
pub const URLS_PER_STEP_MAX: usize = 10;
/// The largest document (PDF, office, book) that is read, in bytes.
pub const DOCUMENT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Most bytes a packed document may unpack to, all its entries together.
pub const DOCUMENT_UNPACKED_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Most pages, slides or chapters of one document.
pub const DOCUMENT_PAGES_MAX: usize = 500;
/// Most cells of one workbook.
pub const DOCUMENT_CELLS_MAX: usize = 200_000;
/// How deep a document's markup may nest.
pub const DOCUMENT_DEPTH_MAX: usize = 256;
/// Most bytes read from one file.
pub const FILE_BYTES_MAX: u64 = 2_000_000;
/// Most folders at the top of a home that are looked into for a folder somebody names.
pub const HOME_FOLDERS_MAX: usize = 100;
/// Most names that are offered where none is the one that was looked for.
pub const NEAR_NAMES_MAX: usize = 5;
/// Most folders named beside a figure of what lies in several.
pub const FOLDERS_NAMED_MAX: usize = 5;
/// Lines of a text up to which a question is answered with all of it.
pub const SHORT_TEXT_LINES_MAX: usize = 12;
/// Texts of a home that are looked into for what some words mean.
pub const TEXTS_LOOKED_AT: usize = 300;
/// The largest of them, in bytes.
pub const TEXT_LOOKED_AT_BYTES_MAX: u64 = 64_000;
/// Most files and folders of a home among which one is known by its name; with more, nobody could say which is meant.
pub const HOME_NAMES_MAX: usize = 100_000;
/// How far below the home those may lie: as far as a search reaches from any folder people name.
pub const HOME_DEPTH_MAX: usize = 2 * WALK_DEPTH_MAX;
/// Most lines named when it is open which one is meant.
pub const LINES_NAMED_MAX: usize = 5;
/// Characters of a line that an answer repeats word by word.
pub const LINE_NAMED_CHARS_MAX: usize = 200;
/// Most files a phrase such as "the invoices" may stand for.
pub const NAMED_FILES_MAX: usize = 50;
/// Most bytes of text one search looks into for what files are about.
pub const SEARCHED_BYTES_MAX: u64 = 200_000_000;
/// Most bytes one search for files that are the same reads.
pub const COMPARED_BYTES_MAX: u64 = 50_000_000_000;
/// What looking into one document (PDF, office, book) counts as, in bytes of text: 500 of them are one search.
pub const SEARCHED_DOCUMENT_COST: u64 = 400_000;
/// Most requests to the network that one call of a program makes.
pub const PROGRAM_REQUESTS_MAX: usize = 100;
/// Most bytes of one of them.
pub const PROGRAM_REQUEST_BYTES_MAX: u64 = 1_000_000;
/// Most bytes of a picture that is changed.
pub const PICTURE_BYTES_MAX: u64 = 100_000_000;
/// Pixels of the longer side of one that is made smaller: enough for a screen, and a tenth of what a phone takes.
pub const PICTURE_SMALL_PIXELS: u32 = 1_600;
/// Most pages of a PDF that is made of pictures.
pub const PDF_PAGES_MAX: usize = 100;
/// Most bytes of them together: all are held in memory at once.
pub const PDF_BYTES_MAX: u64 = 200_000_000;
/// Most files of one archive, packed or unpacked.
pub const ARCHIVE_NAMES_MAX: usize = 20_000;
/// Most bytes of them together.
pub const ARCHIVE_BYTES_MAX: u64 = 4_000_000_000;
/// Most rows of a table that is made of a list.
pub const SHEET_ROWS_MAX: usize = 100_000;
/// Most characters in one cell of it, which is what spreadsheets hold.
pub const SHEET_CELL_CHARS_MAX: usize = 32_767;
/// Pages without text of one document whose pictures are read for words.
pub const OCR_PAGES_MAX: usize = 10;
/// Most entries one producer returns unless asked for fewer.
pub const ENTRIES_MAX: usize = 1_000;
/// Deepest folder a search goes into.
pub const WALK_DEPTH_MAX: usize = 10;

/// Mails one search returns unless asked for fewer or more.
pub const MAILS_SHOWN: usize = 50;
/// Most mails one search looks at to tell what kind they are.
pub const MAILS_LOOKED_AT_MAX: usize = 500;
/// Most mails read out at once.
pub const MAILS_READ_MAX: usize = 10;
/// Characters of a mail's text that are shown.
pub const MAIL_TEXT_CHARS_MAX: usize = 8_000;
/// Most files saved from mails at once.
pub const MAIL_FILES_MAX: usize = 100;
/// Most bytes of them.
pub const MAIL_FILES_BYTES_MAX: usize = 200_000_000;
/// Most people one mail goes to.
pub const MAIL_RECIPIENTS_MAX: usize = 50;
/// Most bytes of files that go along with a mail: what large providers take, before it is encoded.
pub const FILE_BYTES_SENT_MAX: usize = 18_000_000;

/// Entries shown in one answer; the rest is counted.
pub const SHOWN_ENTRIES_MAX: usize = 20;
/// Most names of things that failed, after the first, whose reason is told.
pub const FAILED_NAMED_MAX: usize = 3;
/// Characters of verbatim text shown in one answer; the rest is counted.
pub const SHOWN_TEXT_CHARS_MAX: usize = 12_000;
/// Targets named on an approval card.
pub const CARD_TARGETS_MAX: usize = 5;
/// More targets than this make an action bulk, and one step riskier.
pub const BULK_TARGETS: usize = 20;

/// How long somebody waits for Home Assistant while the connection is being made.
pub const DEVICES_CONNECT: Duration = Duration::from_secs(6);
/// How long a device may take to be as it was told.
pub const DEVICES_SETTLE: Duration = Duration::from_secs(5);
/// More devices than this at once are shown before anything happens.
pub const DEVICES_AT_ONCE: usize = 5;
/// Devices, or items of a list, that an answer names one by one.
pub const DEVICES_SHOWN_MAX: usize = 30;
/// Which devices there are is known for so long before it is asked again.
pub const DEVICES_FRESH: Duration = Duration::from_secs(300);
/// How long a request waits to hear which devices there are.
pub const DEVICES_WAIT: Duration = Duration::from_secs(2);
/// Who did not say which devices there are is not asked again for so long.
pub const DEVICES_REST: Duration = Duration::from_secs(60);

/// An approval can be given for this long.
pub const APPROVAL_TTL: Duration = Duration::from_secs(600);
/// Questions are open for this long.
pub const FORM_TTL: Duration = Duration::from_secs(600);
/// Most questions put one after the other.
pub const FORM_FIELDS_MAX: usize = 30;
/// Most options of one choice.
pub const FORM_OPTIONS_MAX: usize = 24;
/// Longest question, in characters.
pub const FORM_PROMPT_CHARS_MAX: usize = 200;
/// Who said that the household has no key for a service is not asked again for so long.
pub const ACCOUNT_REST: Duration = Duration::from_secs(30 * 24 * 3_600);
/// Lengths a key of a service has, in characters; other words are no key.
pub const ACCOUNT_KEY_CHARS: std::ops::RangeInclusive<usize> = 16..=512;
/// Most characters the password of a file has.
pub const FILE_PASSWORD_CHARS_MAX: usize = 256;
/// So many answers to one question may be unusable before it is given up.
pub const ANSWER_TRIES_MAX: u32 = 3;
/// Most words a file or folder may be called by without quotes.
pub const ANSWER_NAME_WORDS_MAX: usize = 4;
/// A pairing code is good for this long.
pub const PAIRING_CODE_TTL: Duration = Duration::from_secs(300);
/// Wrong pairing codes one sender may try before we stop answering for a while.
pub const PAIRING_TRIES_MAX: u32 = 5;
/// How long a sender with too many wrong codes must wait.
pub const PAIRING_PENALTY: Duration = Duration::from_secs(900);

/// Longest name of a person, in characters.
pub const NAME_CHARS_MAX: usize = 40;
/// Requests a guest may make in an hour, unless the host decides otherwise.
pub const GUEST_TURNS_PER_HOUR: u32 = 60;
/// Tasks a guest may have waiting, unless the host decides otherwise.
pub const GUEST_TASKS_MAX: u32 = 50;
/// Model calls a guest may cause in a day, unless the host decides otherwise.
pub const GUEST_MODEL_CALLS_PER_DAY: u32 = 300;
/// What a quota of requests is counted over.
pub const TURNS_QUOTA_WINDOW: Duration = Duration::from_secs(3_600);

/// How long erasing a person waits for a request of theirs that runs.
pub const ERASE_PATIENCE: Duration = Duration::from_secs(60);

/// Messages waiting in one conversation; more are told to wait.
pub const CONVERSATION_QUEUE_MAX: usize = 32;
/// A conversation that was quiet for so long holds no task of ours until its next message.
pub const CONVERSATION_IDLE: Duration = Duration::from_secs(300);
/// How often a turn is started again after the process died in it.
pub const TURN_ATTEMPTS_MAX: u32 = 3;
/// What is over is kept this long: messages, answers, buttons, and what undo needs. An answer that nobody could be
/// reached for waits no longer either.
pub const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3_600);
/// An answer that may not have arrived can be asked for again for this long.
pub const OFFERED_FOR: Duration = Duration::from_secs(7 * 24 * 3_600);
/// Longest pause before something is sent again whose sending breaks off every time: each try may be a copy.
pub const BROKEN_SEND_PAUSE_MAX: Duration = Duration::from_secs(24 * 3_600);
/// After so many sends that broke off only time brings the next one, not a way that seems open.
pub const BROKEN_SENDS_WOKEN_MAX: u32 = 6;
/// How long the next file of an album is waited for.
pub const ALBUM_WAIT: Duration = Duration::from_secs(1);
/// Characters of a request that name its answer.
pub const ABOUT_CHARS_MAX: usize = 80;
/// Most paragraphs, lists and tables of what several runs of a watcher found that one message tells.
pub const TOLD_TOGETHER_MAX: usize = 60;
/// Saved copies that no effect names any more are kept this long since they were last added to: a step that has just
/// begun may still need them.
pub const COPIES_SETTLED_AFTER: Duration = Duration::from_secs(24 * 3_600);
/// What happened is kept this long: turns and their log, what memory learned from, gaps, and which strangers were told
/// that this is a household's.
pub const HISTORY_KEPT_FOR: Duration = Duration::from_secs(365 * 24 * 3_600);

/// Files of the log, one a day, before the oldest is removed.
pub const LOG_FILES_KEPT: usize = 30;
/// How often the lock of the data folder is tried before another process is said to hold it.
pub const DATA_LOCK_TRIES: u32 = 20;
/// Between two such tries.
pub const DATA_LOCK_PAUSE: Duration = Duration::from_millis(50);
/// Log lines that may wait for the disk; their places are taken at the start (the library's 128,000 are 4 MB). Beyond
/// them a turn goes on without its log line.
pub const LOG_LINES_WAITING_MAX: usize = 4_096;
/// How often what is over is forgotten: the schedule of that job says the same.
pub const SWEEP_EVERY: Duration = Duration::from_secs(3_600);
/// How long a graceful stop waits for running turns.
pub const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);

/// Recent observations searched for a cluster.
pub const CLUSTER_OBSERVATIONS: usize = 200;
/// Cosine from which two requests are the same cluster, for BGE-M3.
pub const CLUSTER_COSINE: f32 = 0.90;
/// Cosine below which an intent match is not trusted, for BGE-M3.
pub const AUTOPATH_FLOOR_COSINE: f32 = 0.87;
/// Default cosine from which L0 serves, for BGE-M3.
pub const FASTPATH_COSINE: f32 = 0.92;
/// Things of one kind that the digest names; the rest is counted.
pub const DIGEST_NAMED_MAX: usize = 5;
/// What the digest of any moment looks back on.
pub const DIGEST_LOOKS_BACK: Duration = Duration::from_secs(7 * 24 * 3_600);
/// A proposal nobody answered is put away after so long.
pub const PROPOSAL_WAITS: Duration = Duration::from_secs(30 * 24 * 3_600);
/// What memory removed can be taken back for this long.
pub const REMOVALS_KEPT_FOR: Duration = Duration::from_secs(7 * 24 * 3_600);
/// How long a run, a ✓ or a ✗ says anything about a plan of L1.
pub const EVIDENCE_COUNTS_FOR: Duration = Duration::from_secs(180 * 24 * 3_600);
/// A plan of L1 that nobody used for so long goes.
pub const AUTOPATH_STALE: Duration = Duration::from_secs(90 * 24 * 3_600);
/// A plan of L1 that lost its place goes after so long.
pub const AUTOPATH_DEMOTED_FOR: Duration = Duration::from_secs(30 * 24 * 3_600);
/// Observations nobody judged that are kept of each person.
pub const OBSERVATIONS_KEPT: usize = 5_000;
/// Explicit rejections, or failed runs, in a row that ban a plan for an intent.
pub const REJECTIONS_TO_BAN: u32 = 3;
/// Confirmations a challenger needs before it may take the place.
pub const CHALLENGER_CONFIRMATIONS_MIN: u32 = 3;
/// By how much a challenger's bound must be higher.
pub const CHALLENGER_MARGIN: f64 = 0.05;
/// What silence after an error-free turn counts.
pub const SILENT_SUCCESS_WEIGHT: f64 = 1.0 / 3.0;

/// Room for a model's thinking, in tokens on top of its answer's, where a tier lets it think.
pub const THINKING_TOKENS_MAX: u32 = 4_096;
/// How many times the room of its tier a plan has that is asked for once more because it was cut off.
pub const CUT_OFF_ROOM: u32 = 4;
/// Tokens a provider may count on top of what we send: its own words about tools and roles.
pub const ONLINE_OVERHEAD_TOKENS: u64 = 2_000;
/// Characters of the tools that every plan's prompt begins with; some 800 tokens.
pub const STABLE_TOOLS_CHARS_MAX: usize = 3_200;
/// Characters of the tools that are shown with a request because its words speak for them.
pub const CHOSEN_TOOLS_CHARS_MAX: usize = 400;
/// Characters of what a plan's prompt tells of the home; at most 200 tokens.
pub const HOME_MAP_CHARS_MAX: usize = 320;
/// Characters of what a plan's prompt tells of the conversation.
pub const VIEW_CHARS_MAX: usize = 200;
/// Examples in a plan's prompt.
pub const EXAMPLES_MAX: usize = 3;
/// Characters of all of them together; what is left over for a longer one goes to the next.
pub const EXAMPLES_CHARS_MAX: usize = 480;
/// Plans that worked for a person among which examples for the next are looked for.
pub const EXAMPLES_LOOKED_AT: usize = 60;

/// Most places one question brings.
pub const PLACES_MAX: usize = 20;
/// How far around a point places are looked for unless said otherwise, in metres.
pub const PLACES_RADIUS_M: u32 = 3_000;
/// Farthest anybody may look, in metres.
pub const PLACES_RADIUS_M_MAX: u32 = 50_000;
/// Answers of geo services kept for a while.
pub const PLACES_CACHED_MAX: u64 = 256;
/// How long such an answer is kept.
pub const PLACES_CACHED_FOR: Duration = Duration::from_secs(600);
/// Days of weather that are asked for, today included.
pub const WEATHER_DAYS: u8 = 10;
/// Answers of the weather service kept for a while.
pub const WEATHER_CACHED_MAX: u64 = 64;
/// How long a forecast is kept.
pub const WEATHER_CACHED_FOR: Duration = Duration::from_secs(900);
/// How long the place of a town is kept.
pub const TOWNS_CACHED_FOR: Duration = Duration::from_secs(86_400);
/// Pages that one search brings.
pub const SEARCH_HITS_MAX: usize = 5;
/// Letters kept of what is told of a page that was found.
pub const SEARCH_TEXT_CHARS_MAX: usize = 6_000;
/// Pages that are read for one answer.
pub const SEARCH_PAGES_READ_MAX: usize = 2;
/// Letters of the words that a search may get.
pub const SEARCH_WORDS_CHARS_MAX: usize = 200;
/// Searches kept for a while.
pub const SEARCH_CACHED_MAX: u64 = 64;
/// How long a search is kept.
pub const SEARCH_CACHED_FOR: Duration = Duration::from_secs(900);
/// Days or holidays that one answer lists.
pub const DAYS_SHOWN_MAX: usize = 7;

/// Most files one answer brings along.
pub const SENT_FILES_MAX: usize = 50;
/// Largest file that is brought; the Bot API takes no larger one.
pub const SENT_FILE_BYTES_MAX: u64 = 50_000_000;
/// Largest file taken from a person; the Bot API gives out no larger one.
pub const RECEIVED_FILE_BYTES_MAX: u64 = 20_000_000;
/// Most past changes that a name is compared with when one is to be taken back.
pub const CHANGES_NAMED_MAX: usize = 20;

/// How much later "a little later" is, of what rings.
pub const TASK_SNOOZE: Duration = Duration::from_secs(600);
/// What rang this long ago is not waited for any more.
pub const TASK_ANSWERED_WITHIN: Duration = Duration::from_secs(24 * 3_600);
/// Least time between two runs of a request that repeats.
pub const TASK_REQUESTS_APART: Duration = Duration::from_secs(60);
/// How often a watcher looks unless said otherwise.
pub const WATCHER_EVERY: Duration = Duration::from_secs(300);
/// Firings shown of the past unless asked for more or fewer.
pub const TASK_RUNS_SHOWN: usize = 20;

/// How long after an answer "them" still means what was in it.
pub const FOLLOWED_UP_WITHIN: Duration = Duration::from_secs(600);
/// Requests that nobody understood, in a row, after which the conversation is still about what was answered before.
pub const FAILURES_PASSED_MAX: usize = 3;
/// How long after a file "it" still means that file.
pub const FILES_REFERRED_WITHIN: Duration = Duration::from_secs(600);
/// Most files "them" means.
pub const FILES_REFERRED_MAX: usize = 10;

/// Tasks a person may have waiting, whatever their quota.
pub const TASKS_PER_PERSON_MAX: u32 = 50;
/// Longest interval between two firings, in seconds: a year.
pub const TASK_EVERY_SECONDS_MAX: u32 = 366 * 24 * 3_600;
/// Longest label of a task, in characters.
pub const TASK_NAME_CHARS_MAX: usize = 60;
/// What fires later than this is said to be late.
pub const TASK_LATE_FROM: Duration = Duration::from_secs(60);
/// A timer or an alarm that is later than this does not ring any more; its owner is told that it was missed.
pub const TASK_RINGS_WITHIN: Duration = Duration::from_secs(15 * 60);
/// Failures in a row after which a task is stopped and its owner asked.
pub const TASK_FAILURES_TO_STOP: u32 = 3;
/// Firings at work at the same time.
pub const TASKS_AT_ONCE_MAX: usize = 8;
/// Firings committed in one transaction.
pub const TASKS_PER_COMMIT_MAX: usize = 64;
/// How long one look of a watcher may take.
pub const WATCHER_TIMEOUT: Duration = Duration::from_secs(60);
/// How long a job may take unless it says otherwise.
pub const JOB_TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// How long a nightly copy may take: a disk behind a slow network.
pub const BACKUP_TIMEOUT: Duration = Duration::from_secs(4 * 3_600);
/// The turn log of a day is packed when it is so old.
pub const TURN_LOG_PACKED_AFTER: Duration = Duration::from_secs(2 * 24 * 3_600);
/// Vectors made anew in one transaction.
pub const REEMBED_PER_COMMIT_MAX: usize = 64;
/// How long `metnos jobs run` waits for the end of what it began.
pub const JOB_WATCHED_FOR: Duration = Duration::from_secs(15 * 60);
/// Most past runs of jobs that are shown.
pub const JOBS_SHOWN_MAX: usize = 50;

/// How far the usual time of a plan looks back.
pub const USUAL_LOOKS_BACK: Duration = Duration::from_secs(7 * 24 * 3_600);
/// A plan that usually takes less says nothing of it.
pub const USUAL_TOLD_MS: i64 = 4_000;
/// A tool that grew here and was not used for longer is told of.
pub const EXECUTOR_DEPRECATED_AFTER: Duration = Duration::from_secs(30 * 24 * 3_600);
/// So much later it goes.
pub const EXECUTOR_ARCHIVED_AFTER: Duration = Duration::from_secs(14 * 24 * 3_600);
/// A habit counts what was done in this time.
pub const HABIT_LOOKS_BACK: Duration = Duration::from_secs(14 * 24 * 3_600);
/// An argument that has one value so often is a habit.
pub const HABIT_SHARE_MIN: f64 = 0.9;
/// And was used so often.
pub const HABIT_USES_MIN: u32 = 30;
/// Habits a planner is told of.
pub const HABITS_TOLD_MAX: usize = 5;

/// Texts of added languages that are translated in a night: the model has other work, and the house sleeps.
pub const TRANSLATIONS_A_NIGHT: usize = 20;
/// How often the model may write the same text in a way that cannot be used.
pub const TRANSLATION_TRIES_MAX: u32 = 3;
/// How many times the tokens of its tier a translated text may have.
pub const TRANSLATION_ROOM: u32 = 2;
/// Longest a night of translating may take.
pub const TRANSLATING_TIMEOUT: Duration = Duration::from_secs(60 * 60);
/// Texts that `metnos language review` shows at once.
pub const TRANSLATIONS_SHOWN_MAX: usize = 40;
/// Runs that found or changed nothing are remembered for so long.
pub const QUIET_RUNS_KEPT_FOR: Duration = Duration::from_secs(2 * 24 * 3_600);
/// Longest expression that is computed, in characters; none nests deeper than it is long.
pub const EXPRESSION_CHARS_MAX: usize = 120;
/// The stack for computing one, of which only what is used is real: enough for one that is all parentheses.
pub const EXPRESSION_STACK_BYTES: usize = 32 << 20;
/// How long one expression may be computed.
pub const EXPRESSION_TIMEOUT: Duration = Duration::from_secs(1);
/// Most digits of a result that are shown.
pub const RESULT_CHARS_MAX: usize = 60;

/// Most files of one calendar or address book that are read.
pub const AGENDA_FILES_MAX: usize = 5_000;
/// The largest of them, in bytes.
pub const AGENDA_FILE_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// All of them together, in bytes.
pub const AGENDA_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// How old the copy of a calendar or address book on a server may be before it is asked again.
pub const AGENDA_FRESH: Duration = Duration::from_secs(30);
/// The same of a calendar at a web address, which changes rarely and is sent whole.
pub const AGENDA_FEED_FRESH: Duration = Duration::from_secs(15 * 60);
/// How long one look at everything of a person's servers may take.
pub const AGENDA_LOOK_TIME: Duration = Duration::from_secs(30);
/// How long a turn that only may need the calendar waits for a fresh copy of it.
pub const AGENDA_GLANCE_TIME: Duration = Duration::from_secs(2);
/// How long a server that could not be reached is not asked again, unless something is to be changed.
pub const AGENDA_REST: Duration = Duration::from_secs(60);
/// The longest that a server may make a request wait before it is given up.
pub const AGENDA_WAIT_MAX: Duration = Duration::from_secs(10);
/// Most collections of one account.
pub const AGENDA_COLLECTIONS_MAX: usize = 40;
/// Most events or contacts one answer shows.
pub const AGENDA_SHOWN_MAX: usize = 50;
/// How far ahead the next time of an event is looked for, in days.
pub const AGENDA_AHEAD_DAYS: i64 = 400;
/// How far back an event may lie that somebody names, in days.
pub const AGENDA_BACK_DAYS: i64 = 45;
/// How long something is of which nobody said it, in minutes.
pub const EVENT_MINUTES: i64 = 60;
/// The hours of a day between which free time is looked for where nobody names any.
pub const FREE_HOURS: (i8, i8) = (8, 20);
/// Of a text that a plan reads, so much is looked at to see whether it speaks of what was asked, in bytes.
pub const FIT_READ_BYTES_MAX: u64 = 64 << 10;
/// Plans that a model is asked for in one turn: one, and one more where it does not hold.
pub const PLANS_A_TURN: u64 = 2;
/// Things that are set which a planner is told of.
pub const SET_TOLD_MAX: usize = 3;
