//! Mailboxes and mail on its way, as plain structs. Called by the accounts of a person; speaks no sentence.
