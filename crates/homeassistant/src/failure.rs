//! Why Home Assistant did not do what it was asked for. Made by `link`; whoever called turns it into a sentence.

/// Why something did not work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// No address of a web server, or one with a name and password in it.
    #[error("no address of a server")]
    BadAddress,
    /// Plain HTTP to a machine that lies outside the house.
    #[error("`{0}` does not encrypt, and lies outside the house")]
    NotEncrypted(String),
    /// Nobody answers there.
    #[error("cannot reach `{0}`")]
    Unreachable(String),
    /// Its certificate does not prove that it is who was asked.
    #[error("`{0}` has the wrong certificate")]
    Certificate(String),
    /// It took too long.
    #[error("no answer in time")]
    Timeout,
    /// What answers is no Home Assistant.
    #[error("this is no Home Assistant")]
    SomethingElse,
    /// The token is not taken.
    #[error("the token is not taken")]
    Refused,
    /// The token may not see what was exposed to Assist.
    #[error("the token is not an administrator's")]
    NotAdministrator,
    /// The connection ended in the middle.
    #[error("the connection ended")]
    Closed,
    /// A call was refused, with the server's own code and words.
    #[error("the server refused: {code}: {message}")]
    Call {
        /// Such as `service_validation_error`.
        code: String,
        /// Whatever it says.
        message: String,
    },
}
