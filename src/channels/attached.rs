//! Looks once more at a file that is to be sent: a link may have been put in its place since the turn ran. Called by
//! every channel that sends files.

use std::path::Path;

/// The size of a plain file that no link leads to; `None` for anything else.
pub(super) async fn size_of(path: &Path) -> Option<u64> {
    let real = tokio::fs::canonicalize(path).await.ok()?;
    let metadata = tokio::fs::metadata(&real).await.ok()?;
    (real == path && metadata.is_file()).then_some(metadata.len())
}

/// The last part of a path, as people read it.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_file_itself_is_sent() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let (file, link) = (folder.join("a.txt"), folder.join("b.txt"));
        std::fs::write(&file, "one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(size_of(&file).await, Some(3));
        for other in [link.as_path(), &folder, &folder.join("c.txt")] {
            assert_eq!(size_of(other).await, None, "{}", other.display());
        }
        assert_eq!(name_of(&file), "a.txt");
    }
}
