//! Wakes a metnos that runs from another process of ours: who changed when something is due touches a file, and the one
//! that runs is told by the kernel. Nobody polls, and without a running one nothing happens. `runtime` listens, `cli`
//! kicks.

use std::{
    fs::{File, FileTimes},
    io,
    os::fd::OwnedFd,
    path::Path,
};

use jiff::Timestamp;
use rustix::{
    fs::inotify::{self, CreateFlags, WatchFlags},
    io::{Errno, read},
};
use tokio::io::{Interest, unix::AsyncFd};

/// What is told of one touch fits in it; more than one are one.
const EVENT_BYTES: usize = 4_096;

/// Touches the file.
pub fn kick(file: &Path, now: Timestamp) -> io::Result<()> {
    File::options()
        .write(true)
        .open(file)?
        .set_times(FileTimes::new().set_modified(now.into()))
}

/// Who is told when the file is touched.
#[derive(Debug)]
pub struct Kicks {
    told: AsyncFd<OwnedFd>,
}

impl Kicks {
    /// Listens to this file, which is there and is never replaced.
    #[expect(
        deprecated,
        reason = "what replaces it is unsafe, for files that somebody may close; an `OwnedFd` stays open"
    )]
    pub fn listen(file: &Path) -> io::Result<Self> {
        let told = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
        // A new date alone counts as a change of what is in it.
        inotify::add_watch(&told, file, WatchFlags::MODIFY | WatchFlags::ATTRIB)?;
        Ok(Self {
            told: AsyncFd::with_interest(told, Interest::READABLE)?,
        })
    }

    /// Waits for the next touch.
    pub async fn next(&self) -> io::Result<()> {
        let mut events = [0; EVENT_BYTES];
        loop {
            let mut ready = self.told.readable().await?;
            match read(&self.told, &mut events) {
                Ok(_) => return Ok(()),
                Err(Errno::AGAIN) => ready.clear_ready(),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn a_touch_is_heard_and_silence_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lock");
        assert!(
            kick(&file, Timestamp::UNIX_EPOCH).is_err(),
            "nobody runs here, and none is made"
        );
        std::fs::write(&file, "").unwrap();
        let kicks = Kicks::listen(&file).unwrap();
        assert!(timeout(Duration::from_millis(30), kicks.next()).await.is_err());
        kick(&file, Timestamp::UNIX_EPOCH).unwrap();
        timeout(Duration::from_secs(5), kicks.next()).await.unwrap().unwrap();
        assert!(timeout(Duration::from_millis(30), kicks.next()).await.is_err());
    }
}
