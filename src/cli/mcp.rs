//! `metnos mcp …`: tools of others. A server is named in the configuration; each of its tools is shown with what it
//! says it does, and admitted one by one. Nothing of a server is believed, and none of its words reaches a prompt
//! before the host has seen them here.

use std::{fs, io::Write as _, process::ExitCode};

use anyhow::{Context as _, bail};
use clap::Subcommand;
use metnos_mcp::Tool;

use super::{complain, print, prompt::confirmed};
use crate::{
    app,
    catalog::{
        Catalog, catalog_dir,
        install::{self, Put},
        parse::parse,
    },
    config::{Config, config_path, env::Environment, mcp::is_name},
    domain::{
        ids::ExecutorName,
        manifest::{Kind, McpTool},
        message::Message,
    },
    executors::mcp::Servers,
    i18n::I18n,
};

mod proposal;

/// In our own folder: the configuration as it would be.
const TRIAL: &str = "config-trial.toml";

/// What can be done with tools of others.
#[derive(Clone, Debug, Subcommand)]
pub(super) enum Command {
    List,
    Add {
        server: String,
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        line: Vec<String>,
    },
    Trust {
        server: String,
        which: String,
        #[arg(long = "as", value_name = "NAME")]
        name: Option<String>,
        #[arg(long, conflicts_with = "changes")]
        reads: bool,
        #[arg(long)]
        changes: bool,
        #[arg(long)]
        yes: bool,
    },
}

/// The household's configuration, its words, and the servers.
struct Desk<'a> {
    config: &'a Config,
    i18n: I18n,
    servers: Servers,
}

impl Desk<'_> {
    fn say(&self, message: &Message) -> String {
        self.i18n.say(self.config.lang, message)
    }

    /// The tools of a server; `None` after it was said why there are none.
    async fn tools(&self, server: &str) -> Option<Vec<Tool>> {
        match self.servers.tools(server).await {
            Ok(tools) => Some(tools),
            Err(error) => {
                let why = error.detail.as_deref().unwrap_or_default();
                complain(format!("{}\n  {why}", self.say(&error.message)).trim_end());
                None
            }
        }
    }
}

pub(super) async fn run(config: &Config, environment: &Environment, command: Command) -> anyhow::Result<ExitCode> {
    app::make_private_dir(&config.data_dir)?;
    let desk = Desk {
        config,
        i18n: I18n::of_household(&config.data_dir)?,
        servers: Servers::new(config.mcp.clone(), std::env::current_exe()?, config.sandbox),
    };
    match command {
        Command::List => list(&desk).await,
        Command::Add { server, line } => add(&desk, environment, &server, &line),
        Command::Trust {
            server,
            which,
            name,
            reads,
            changes,
            yes,
        } => {
            let wanted = proposal::Wanted {
                name,
                changes: changes.then_some(true).or(reads.then_some(false)),
            };
            trust(&desk, (&server, &which), &wanted, yes).await
        }
    }
}

/// The tools that were admitted, by our names.
fn admitted(catalog: &Catalog) -> Vec<(ExecutorName, McpTool)> {
    let of = |manifest: &std::sync::Arc<crate::domain::manifest::Manifest>| match &manifest.kind {
        Kind::Mcp(tool) => Some((manifest.name.clone(), tool.clone())),
        Kind::Builtin | Kind::Program { .. } | Kind::Composite { .. } => None,
    };
    catalog.all().iter().filter_map(of).collect()
}

async fn list(desk: &Desk<'_>) -> anyhow::Result<ExitCode> {
    let known = admitted(&app::open_catalog(&desk.config.data_dir)?.current());
    if desk.config.mcp.is_empty() {
        print(&desk.say(&Message::new("mcp-none")))?;
    }
    let mut code = ExitCode::SUCCESS;
    for server in desk.servers.names() {
        let Some(tools) = desk.tools(server).await else {
            code = ExitCode::FAILURE;
            continue;
        };
        print(
            &desk.say(
                &Message::new("mcp-server")
                    .with("server", server)
                    .with("count", tools.len()),
            ),
        )?;
        for tool in &tools {
            let own = known
                .iter()
                .find(|(_, own)| own.server == server && own.tool == tool.name);
            let (sign, name) = match own {
                Some((name, own)) if own.digest == tool.digest() => ("✓", name.to_string()),
                Some(_) => ("!", desk.say(&Message::new("mcp-changed-mark"))),
                None => ("·", proposal::first_line(&tool.description)),
            };
            print(&format!("  {sign} {:28} {name}", proposal::plain(&tool.name)))?;
        }
    }
    Ok(code)
}

/// Writes a server into the configuration.
fn add(desk: &Desk<'_>, environment: &Environment, server: &str, command: &[String]) -> anyhow::Result<ExitCode> {
    if !is_name(server) {
        bail!(Message::new("mcp-bad-name").with("server", server));
    }
    if desk.config.mcp.contains_key(server) {
        bail!(Message::new("mcp-there-already").with("server", server));
    }
    let path = config_path(environment).context(Message::new("mcp-no-config"))?;
    let mut entry = toml::Table::new();
    match command {
        [address] if address.contains("://") => drop(entry.insert("url".to_owned(), address.as_str().into())),
        command => {
            let words: Vec<toml::Value> = command.iter().map(|word| word.as_str().into()).collect();
            entry.insert("command".to_owned(), words.into());
        }
    }
    let section = format!("\n[mcp.{server}]\n{}", toml::to_string(&entry)?);
    let before = if path.exists() {
        fs::read_to_string(&path)?
    } else {
        String::new()
    };
    // What cannot be read is not written: metnos would not start with it.
    let trial = desk.config.data_dir.join(TRIAL);
    fs::write(&trial, format!("{before}\n{section}"))?;
    let read = Config::load(&Environment {
        config: Some(trial.clone()),
        ..environment.clone()
    });
    fs::remove_file(&trial)?;
    read?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&path)?;
    let line_ends = before.is_empty() || before.ends_with('\n');
    file.write_all(format!("{}{section}", if line_ends { "" } else { "\n" }).as_bytes())?;
    let message = Message::new("mcp-added")
        .with("server", server)
        .with("file", path.display().to_string());
    print(&desk.say(&message))?;
    Ok(ExitCode::SUCCESS)
}

/// Shows a tool with everything it says, and admits it on a yes.
async fn trust(
    desk: &Desk<'_>,
    (server, tool): (&str, &str),
    wanted: &proposal::Wanted,
    is_sure: bool,
) -> anyhow::Result<ExitCode> {
    let Some(tools) = desk.tools(server).await else {
        return Ok(ExitCode::FAILURE);
    };
    let Some(found) = tools.iter().find(|one| one.name == tool) else {
        bail!(Message::new("mcp-no-tool").with("server", server).with("tool", tool));
    };
    let proposed = match proposal::of(server, found, wanted) {
        Ok(proposed) => proposed,
        Err(argument) => bail!(
            Message::new("mcp-unsayable")
                .with("tool", tool)
                .with("argument", argument)
        ),
    };
    print(&desk.say(&Message::new("mcp-says").with("tool", proposal::plain(tool))))?;
    print(&indented(&found.description))?;
    let about = Message::new("mcp-proposal")
        .with("name", proposed.name.as_str())
        .with("effect", if proposed.changes { "changes" } else { "reads" });
    print(&desk.say(&about))?;
    print(&indented(&proposed.manifest))?;
    if !is_sure && !confirmed(&desk.say(&Message::new("mcp-admit")))? {
        print(&desk.say(&Message::new("mcp-not-admitted")))?;
        return Ok(ExitCode::FAILURE);
    }
    admit(desk, (server, tool), &proposed)
}

/// Puts a tool into the catalog, in the place of what it was admitted as before.
fn admit(desk: &Desk<'_>, (server, tool): (&str, &str), proposed: &proposal::Proposed) -> anyhow::Result<ExitCode> {
    let data_dir = &desk.config.data_dir;
    parse(proposed.manifest.as_bytes())?;
    let name = ExecutorName::from(proposed.name.as_str());
    let folder = |name: &ExecutorName| catalog_dir(data_dir).join(name.as_str());
    let known = admitted(&app::open_catalog(data_dir)?.current()).into_iter();
    let before = known.filter(|(_, own)| own.server == server && own.tool == tool);
    let (same, others): (Vec<ExecutorName>, Vec<ExecutorName>) =
        before.map(|(name, _)| name).partition(|own| *own == name);
    for own in &same {
        fs::remove_dir_all(folder(own))?;
    }
    if install::put(data_dir, &name, &proposed.manifest)? == Put::Taken {
        bail!(Message::new("mcp-name-taken").with("name", name.as_str()));
    }
    // One tool has one name.
    for own in &others {
        fs::remove_dir_all(folder(own))?;
    }
    let message = Message::new("mcp-admitted")
        .with("name", name.as_str())
        .with("file", folder(&name).join("manifest.toml").display().to_string());
    print(&desk.say(&message))?;
    Ok(ExitCode::SUCCESS)
}

/// A text of a stranger as lines of ours: it can neither move the cursor nor look like what we say.
fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| format!("  │ {}", proposal::plain(line)));
    lines.collect::<Vec<_>>().join("\n")
}
