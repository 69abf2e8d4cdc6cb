//! Leaves a mailing list by the one click that it offers (RFC 8058): one POST to the address it names, which is never
//! inside the house, and is followed nowhere. Called by the executor that leaves lists, after a person saw the address.

use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        message::Message,
    },
    net,
};

/// What RFC 8058 has sent.
const ONE_CLICK: &[(&str, &str)] = &[("List-Unsubscribe", "One-Click")];

/// Leaves the list of this sender.
pub async fn leave_by_click(address: &str, who: &str) -> Result<(), ToolError> {
    let sent = net::send_form(address, ONE_CLICK, &[]).await;
    sent.map_err(|error| {
        let told = error.to_tool_error();
        let key = if told.class == ErrorClass::Forbidden {
            "mail-list-inside"
        } else {
            "mail-list-refused"
        };
        let message = Message::new(key).with("who", who);
        ToolError::new(told.class, message).with_detail(told.detail.unwrap_or_default())
    })
}
