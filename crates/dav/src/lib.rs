//! Calendars and address books as plain structs. Called by the executors of events and contacts; opens no socket.
