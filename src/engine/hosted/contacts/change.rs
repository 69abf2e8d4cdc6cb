//! `create_contacts`, `set_contacts` and `delete_contacts`: each notes the way back before it changes anything.

use jiff::civil::Date;
use metnos_dav::{Birthday, Card, CardChange, Value as Entry};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Book, failed, id_of, refused};
use crate::{
    agenda::{Holds, Leaf, version_of},
    domain::{
        failure::ToolError,
        ids::ExecutorName,
        run::{Reversal, ToolResult},
    },
    engine::hosted::{events, fields},
    executors::progress::Ledger,
    language::time::Value as Said,
};

impl Book<'_> {
    pub(super) async fn create_contacts(&self) -> Result<ToolResult, ToolError> {
        let change = CardChange {
            name: Some(self.call.text("name")?.trim().to_owned()),
            ..self.change()?
        };
        let uid = Uuid::now_v7().to_string();
        let card = Card::new(&uid, &change);
        let mut ledger = Ledger::in_process(&self.call.context);
        let file = format!("{uid}.vcf");
        let place = self.agenda.place_for(&self.owner, Holds::Contacts, &file, None);
        let file = place.await.map_err(failed)?;
        let name = change.name.unwrap_or_default();
        self.put(&mut ledger, &file, &card.to_text(), None, &name).await?;
        Ok(done("created", &format!("{file}#0"), &name, ledger))
    }

    pub(super) async fn set_contacts(&self) -> Result<ToolResult, ToolError> {
        if let Some(back) = self.call.args.get("back") {
            let place = (self.agenda, &self.owner, Holds::Contacts);
            return events::put_back(place, back, &self.call.context.backup_dir).await;
        }
        let known = self.meant().await?;
        let name = self.call.optional_text("name")?.map(str::to_owned);
        let change = CardChange { name, ..self.change()? };
        if change == CardChange::default() {
            return Err(refused("contacts-no-change"));
        }
        let mut cards = Card::parse_all(&known.leaf.text).map_err(|_broken| refused("events-value"))?;
        let card = cards.get_mut(known.index).ok_or_else(|| refused("events-gone"))?;
        card.change(&change);
        let text: String = cards.iter().map(Card::to_text).collect();
        let mut ledger = Ledger::in_process(&self.call.context);
        self.put(
            &mut ledger,
            &known.leaf.name,
            &text,
            Some(&known.leaf),
            &known.contact.name,
        )
        .await?;
        Ok(done("changed", &id_of(&known), &known.contact.name, ledger))
    }

    pub(super) async fn delete_contacts(&self) -> Result<ToolResult, ToolError> {
        if let Some(back) = self.call.args.get("back") {
            let place = (self.agenda, &self.owner, Holds::Contacts);
            return events::put_back(place, back, &self.call.context.backup_dir).await;
        }
        let known = self.meant().await?;
        let cards = Card::parse_all(&known.leaf.text).map_err(|_broken| refused("events-value"))?;
        let others = cards.iter().enumerate().filter(|(index, _)| *index != known.index);
        let rest: String = others.map(|(_, card)| card.to_text()).collect();
        let mut ledger = Ledger::in_process(&self.call.context);
        if rest.is_empty() {
            let back = self.way_back(&known.leaf.name, Some(&known.leaf), None, &known.contact.name)?;
            ledger.before(back);
            let (file, version) = (known.leaf.name.as_str(), known.leaf.version.as_str());
            if let Err(error) = self.agenda.remove(&self.owner, Holds::Contacts, file, version).await {
                ledger.forget_last();
                return Err(failed(error));
            }
        } else {
            self.put(
                &mut ledger,
                &known.leaf.name,
                &rest,
                Some(&known.leaf),
                &known.contact.name,
            )
            .await?;
        }
        Ok(done("removed", &id_of(&known), &known.contact.name, ledger))
    }

    async fn put(
        &self,
        ledger: &mut Ledger,
        file: &str,
        text: &str,
        before: Option<&Leaf>,
        label: &str,
    ) -> Result<(), ToolError> {
        let sent = version_of(text);
        ledger.before(self.way_back(file, before, Some(&sent), label)?);
        let expected = before.map(|leaf| leaf.version.as_str());
        let put = self.agenda.put(&self.owner, Holds::Contacts, (file, text), expected);
        match put.await {
            Ok(leaf) if leaf.version != sent => {
                ledger.instead(self.way_back(file, before, Some(&leaf.version), label)?);
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(error) => {
                ledger.forget_last();
                Err(failed(error))
            }
        }
    }

    fn way_back(
        &self,
        file: &str,
        before: Option<&Leaf>,
        after: Option<&str>,
        label: &str,
    ) -> Result<Reversal, ToolError> {
        let copy = before
            .map(|leaf| events::copied(leaf, &self.call.context.backup_dir))
            .transpose()?;
        let back = json!({"back": {"file": file, "copy": copy, "version": after}});
        let tool = if before.is_none() {
            "delete_contacts"
        } else {
            "set_contacts"
        };
        Ok(Reversal::Call {
            tool: ExecutorName::from(tool),
            args: fields(back),
            label: label.to_owned(),
        })
    }

    fn change(&self) -> Result<CardChange, ToolError> {
        let text = |name: &str| -> Result<Option<String>, ToolError> {
            let text = self.call.optional_text(name)?.map(str::trim);
            Ok(text.filter(|text| !text.is_empty()).map(str::to_owned))
        };
        let value = |name: &str| -> Result<Option<Entry>, ToolError> {
            let kind = String::new();
            Ok(text(name)?.map(|text| Entry { text, kind }))
        };
        Ok(CardChange {
            name: None,
            nickname: text("nickname")?,
            role: text("role")?,
            phone: value("phone")?,
            email: value("email")?,
            address: value("address")?,
            birthday: self.birthday()?,
            note: text("remark")?,
        })
    }

    /// The birthday that is told.
    pub(super) fn birthday(&self) -> Result<Option<Birthday>, ToolError> {
        let words = self.call.optional_text("birthday")?.map(str::trim);
        words
            .filter(|words| !words.is_empty())
            .map(|words| self.born(words))
            .transpose()
    }

    /// A birthday, from a date or from the person's words; the year only where it was said.
    fn born(&self, words: &str) -> Result<Birthday, ToolError> {
        if let Ok(day) = words.parse::<Date>() {
            return Ok(Birthday::on(day));
        }
        let lang = self.call.context.lang;
        let times = self.language.times_said(words, lang, self.now());
        let day = times
            .iter()
            .flat_map(|time| &time.readings)
            .find_map(|value| match value {
                Said::Date(day) => Some(*day),
                Said::Moment(_) | Said::Range(..) | Said::Duration(_) => None,
            });
        let day = day.ok_or_else(|| refused("contacts-birthday-unclear"))?;
        let names_year = words.contains(&day.year().to_string());
        Ok(Birthday {
            year: names_year.then(|| day.year()),
            ..Birthday::on(day)
        })
    }
}

fn done(what: &str, id: &str, name: &str, ledger: Ledger) -> ToolResult {
    let body: Map<String, Value> = fields(json!({"ok_count": 1, "what": what, "id": id, "name": name}));
    ToolResult {
        reversals: ledger.into_reversals(),
        ..ToolResult::ok(body)
    }
}
