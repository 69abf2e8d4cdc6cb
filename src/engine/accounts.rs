//! Accounts of persons, whatever they are for: what is known of an address, and whether what was given works. Called by
//! dialogs and the command line, which know no service; each service has its own module, and its arm here.

use serde_json::{Map, Value};

use super::Engine;
use crate::{
    agenda::{Agenda, Where},
    config::Secret,
    devices,
    domain::{account::Service, failure::ToolError, ids::PersonAccountId, message::Message},
    mail::{Mail, is_address, setup},
    store::person_accounts::NewPersonAccount,
};

/// What is known of an address.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// It is there.
    There {
        /// What the service knows of it, to be handed back in `Given`.
        servers: Option<Value>,
        /// What its person should know before they go on.
        hint: Option<Message>,
    },
    /// It cannot be used, and what can.
    NotThere(Message),
    /// Its person has to say more: the names of further questions.
    Unknown(Vec<&'static str>),
    /// It is none.
    NoAddress,
}

/// What a person gave.
#[derive(Debug)]
pub struct Given {
    /// What for.
    pub service: Service,
    /// Answers by the names of their questions.
    pub answers: Map<String, Value>,
    /// What `Found::There` said.
    pub servers: Value,
    /// The password; empty where none is needed.
    pub secret: Secret,
    /// Which one it becomes.
    pub id: PersonAccountId,
}

/// What knows the services.
#[derive(Clone, Copy, Debug)]
pub struct Services<'a> {
    /// Mail.
    pub mail: &'a Mail,
    /// Calendars and address books.
    pub agenda: &'a Agenda,
    /// Who asks owns the house, and may name servers in it.
    pub is_host: bool,
}

impl Services<'_> {
    /// What is known of an address for a service.
    pub async fn find(&self, service: Service, address: &str) -> Result<Found, ToolError> {
        match service {
            Service::Mail => {
                if !is_address(address) {
                    return Ok(Found::NoAddress);
                }
                Ok(match self.mail.lookup(address).await? {
                    setup::Lookup::Found { servers, hint } => Found::There {
                        servers: serde_json::to_value(servers).ok(),
                        hint,
                    },
                    setup::Lookup::NoPassword(why) => Found::NotThere(why),
                    setup::Lookup::Unknown => Found::Unknown(vec!["imap", "smtp"]),
                })
            }
            Service::Caldav | Service::Carddav | Service::Calendar => {
                Ok(match self.agenda.find(service, address, self.is_host).await? {
                    Where::There { servers, hint } => Found::There {
                        servers: Some(servers),
                        hint,
                    },
                    Where::NotThere(why) => Found::NotThere(why),
                    Where::NoAddress => Found::NoAddress,
                })
            }
            // What is in the house is the host's to name.
            Service::Homeassistant if !self.is_host => Ok(Found::NotThere(Message::new("devices-only-host"))),
            Service::Homeassistant => Ok(match devices::address(address) {
                Some(_) => Found::There {
                    servers: None,
                    hint: Some(Message::new("devices-hint-token")),
                },
                None => Found::NoAddress,
            }),
        }
    }

    /// Tries an account out; as it is to be kept if it works.
    pub async fn try_out(&self, given: Given) -> Result<NewPersonAccount, ToolError> {
        match given.service {
            Service::Mail => {
                self.mail
                    .try_out(given.id, &text(&given.answers, "address"), given.servers, given.secret)
                    .await
            }
            Service::Caldav | Service::Carddav | Service::Calendar => {
                let (address, user) = (text(&given.answers, "address"), text(&given.answers, "user"));
                let (which, who) = ((given.id, given.service), (address.as_str(), user.as_str()));
                self.agenda.try_out(which, who, &given.servers, given.secret).await
            }
            Service::Homeassistant => {
                let address = text(&given.answers, "address");
                devices::try_out(given.id, &address, given.secret).await
            }
        }
    }
}

impl Engine {
    fn services(&self, is_host: bool) -> Services<'_> {
        Services {
            mail: &self.mail,
            agenda: &self.agenda,
            is_host,
        }
    }

    /// What is known of an address for a service.
    pub async fn find_service(&self, service: Service, address: &str, is_host: bool) -> Result<Found, ToolError> {
        Box::pin(self.services(is_host).find(service, address)).await
    }

    /// Tries an account out.
    pub async fn try_account(&self, given: Given) -> Result<NewPersonAccount, ToolError> {
        Box::pin(self.services(false).try_out(given)).await
    }

    /// Mail servers by the names somebody gave, once they showed the right certificates.
    pub async fn mail_servers_named(&self, address: &str, imap: &str, smtp: &str) -> Result<Value, ToolError> {
        let servers = Box::pin(self.mail.named(address, imap, smtp)).await?;
        Ok(serde_json::to_value(servers).unwrap_or_default())
    }
}

fn text(answers: &Map<String, Value>, name: &str) -> String {
    answers.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}
