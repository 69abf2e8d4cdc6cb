//! Whole mails for other families: the one that a call names, with its bytes. They are data there as here.

use super::super::Host;
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        message::Message,
    },
    executors::Call,
    mail::{Letter, ids::MailId},
};

/// The first mail that an argument names.
pub(in crate::engine::hosted) async fn first(
    host: &Host<'_>,
    call: &Call,
    argument: &str,
) -> Result<(Letter, Vec<u8>), ToolError> {
    let none = || ToolError::new(ErrorClass::InvalidArgs, Message::new("mail-not-a-message"));
    let texts = call.texts(argument)?;
    let id = texts.first().and_then(|text| MailId::parse(text)).ok_or_else(none)?;
    let account = host.mail.account_by_id(&call.context.actor, &id.account).await?;
    let mut session = host.mail.session(&account).await?;
    host.letter(&mut session, &id).await
}
