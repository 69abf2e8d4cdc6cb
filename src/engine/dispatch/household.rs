//! Who owns the devices is asked which there are, now and then, so that patterns resolve names against what is there.
//! Called by `dispatch` before the patterns read a request. Without such an executor nothing is run.

use std::sync::Arc;

use serde_json::Map;

use crate::{
    domain::{
        actor::Role,
        folders,
        ids::{ActorId, ExecutorName, StepId},
        limits::DEVICES_WAIT,
        manifest::{Effect, Manifest},
    },
    engine::{dispatch::Cascade, patterns::household::Household},
    executors::{Call, CallContext},
};

/// The executor that owns the devices.
const OWNER: &str = "get_devices";

impl Cascade<'_> {
    /// Looks at the household again when the last look is old and the request may be about devices. It never waits
    /// long, and when there is no answer what was known before still holds. A guest is told of no rooms but theirs.
    pub(super) async fn look_at_home(&mut self) {
        let snapshot = &self.engine.household;
        let owner = self
            .catalog
            .get(&ExecutorName::from(OWNER))
            .filter(|owner| can_be_asked(owner));
        let Some(owner) = owner.map(Arc::clone) else {
            snapshot.forget();
            self.household = snapshot.household();
            return;
        };
        let now_ms = self.engine.clock.now_ms();
        let patterns = &self.engine.patterns;
        if snapshot.is_due(&owner.digest, now_ms) && patterns.may_command_devices(&self.turn.text) {
            match self.ask(&owner).await {
                Some(household) => snapshot.take(&owner.digest, household, now_ms),
                None => {
                    snapshot.keep(&owner.digest, now_ms);
                    self.note(format!("patterns: {OWNER} did not say which devices there are"));
                }
            }
        }
        let known = self.engine.household.household();
        self.household = match self.turn.actor.role {
            Role::Host => known,
            Role::Guest => Arc::new(known.within(&self.engine.guest_areas)),
        };
        if patterns.may_command_devices(&self.turn.text)
            && let Ok(Some(area)) = self.engine.store.area_of(&self.turn.actor.id).await
            && let Some(room) = self.household.room(&area)
        {
            self.household = Arc::new(Household::clone(&self.household).heard_in(room));
        }
    }

    /// One call, on behalf of the household and not of who is speaking: what it says is known to all of them.
    async fn ask(&self, owner: &Manifest) -> Option<Household> {
        let turn = self.turn;
        let call = Call {
            args: Map::new(),
            password: None,
            context: CallContext {
                turn: turn.id.clone(),
                step: StepId(1),
                actor: ActorId::from("host"),
                is_host: true,
                lang: turn.actor.lang,
                now: turn.now.clone(),
                home: self.engine.home.clone(),
                backup_dir: folders::copies_of(&self.engine.data_dir, &turn.id),
                data_dir: self.engine.data_dir.clone(),
                trusted_urls: Vec::new(),
            },
        };
        let families = &self.engine.families;
        let asking = async {
            if families.run_here(&owner.name) {
                return Some(families.run(&self.run_deps().hosted, &owner.name, &call).await);
            }
            let code = self.catalog.code_dir(&owner.name).ok()?;
            Some(
                self.engine
                    .runner
                    .run(owner, call.clone(), code, self.audience.stop)
                    .await,
            )
        };
        let result = tokio::time::timeout(DEVICES_WAIT, asking).await.ok()??;
        let entries = result.entries().filter(|_| result.is_ok())?;
        Some(self.engine.patterns.household(entries))
    }
}

/// It only looks, and needs to be told nothing.
fn can_be_asked(owner: &Manifest) -> bool {
    owner.effect == Effect::Read
        && owner.requires_one_of.is_empty()
        && !owner.args.iter().any(|spec| spec.required && !spec.runtime_resolved)
}
