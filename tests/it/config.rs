//! The configuration: the example is complete, commented and equal to the defaults; what is wrong is refused by name.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use metnos::{
    config::{
        Config, ConfigError, DigestForm, EXAMPLE, EngineChoice, Mode, OnlineGap, SandboxConfig, Tiers, VARIABLES,
        env::Environment,
    },
    domain::lang::Lang,
    i18n::I18n,
};
use tempfile::TempDir;

/// A home with a config file of this content.
fn household(toml: &str) -> (TempDir, Environment) {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    fs::write(&config, toml).unwrap();
    let environment = Environment {
        home: Some(folder.path().to_owned()),
        config: Some(config),
        ..Environment::default()
    };
    (folder, environment)
}

fn load(toml: &str) -> Result<Config, ConfigError> {
    let (_folder, environment) = household(toml);
    Config::load(&environment)
}

/// Every key must be in the example, or reading it alone fails; every key of it must be known, or reading it fails too.
#[test]
fn the_example_is_complete_and_is_the_default() {
    let (folder, environment) = household(EXAMPLE);
    let written = Config::load(&environment).unwrap();
    let nothing = Environment {
        home: Some(folder.path().to_owned()),
        ..Environment::default()
    };
    let silent = Config::load(&nothing).unwrap();
    assert_eq!(format!("{written:?}"), format!("{silent:?}"));
    assert_eq!(silent.data_dir, folder.path().join(".local/share/metnos"));
    assert_eq!(silent.engine, EngineChoice::Auto);
    assert_eq!(silent.sandbox, SandboxConfig::Required);
    assert_eq!((silent.llm.url, silent.telegram.token), (None, None));
}

#[test]
fn every_key_of_the_example_says_what_it_is_for() {
    let mut commented = false;
    for line in EXAMPLE.lines() {
        let is_key = line.contains(" = ") && !line.starts_with('#');
        assert!(!is_key || commented, "no comment above `{line}`");
        commented = line.starts_with('#') || line.starts_with('[') && commented;
    }
}

#[test]
fn what_is_wrong_is_named() {
    let i18n = I18n::embedded().unwrap();
    for (toml, named) in [
        ("engin = \"auto\"", "engin"),
        ("[llm]\nurll = \"\"", "urll"),
        ("engine = \"clever\"", "clever"),
        ("language = \"fr\"", "fr"),
        ("timezone = \"Mars/Olympus\"", "Mars/Olympus"),
        ("[llm]\nurl = \"llama\"", "llama"),
        ("[telegram]\napi_url = \"\"", "telegram.api_url"),
        ("[telegram]\npoll_s = \"soon\"", "poll_s"),
        ("[sandbox]\nmode = \"off\"", "off"),
        ("[memory\n", "memory"),
        ("[memory]\nban_s = -1", "memory.ban_s"),
        ("[memory]\nfastpath_max = 0", "memory.fastpath_max"),
        ("[llm.wise]\ntimeout_s = 0", "llm.wise.timeout_s"),
        ("[llm.fast]\ntokens = 0", "llm.fast.tokens"),
        ("[llm.middle]\ntemperature = 2.5", "llm.middle.temperature"),
        ("mode = \"cloud\"", "hybrid"),
        ("[llm.online]\nprovider = \"acme\"", "acme"),
        ("[llm.online]\nurl = \"http://llm.example\"", "https://"),
        ("[llm.online]\nusd_per_million_in = -1", "llm.online.usd_per_million_in"),
        (
            "[llm.online]\nusd_per_million_out = inf",
            "llm.online.usd_per_million_out",
        ),
        ("[llm.online]\nspend_max_day_usd = nan", "llm.online.spend_max_day_usd"),
        (
            "[llm.online]\nspend_max_month_usd = -0.5",
            "llm.online.spend_max_month_usd",
        ),
        ("[llm.online]\ntimeout_s = 0", "llm.online.timeout_s"),
        ("[llm.server]\ncommand = [\"llama-server\"]", "llm.url"),
        ("[backup]\nfolder = \"copies\"", "backup.folder"),
        ("[backup]\nkeep = 0", "backup.keep"),
    ] {
        let error = load(toml).unwrap_err();
        for lang in Lang::BUILT_IN {
            let said = i18n.say(lang, &error.told());
            assert!(said.contains(named) && !said.contains("config-"), "{toml}: {said}");
        }
    }
}

#[test]
fn who_is_asked_for_what_stands_in_the_file() {
    assert_eq!(load("").unwrap().llm.tiers, Tiers::default());
    let tiers = load(
        "[llm]\nurl = \"http://127.0.0.1:1\"\n[llm.fast]\nmodel = \"small\"\ntokens = 30\n\
         [llm.wise]\nurl = \"http://127.0.0.1:2/\"\nthink = true\ntemperature = 0.6\ntimeout_s = 300\n",
    );
    let Tiers { fast, middle, wise } = tiers.unwrap().llm.tiers;
    assert_eq!(
        (fast.model.as_deref(), fast.tokens, fast.timeout_s),
        (Some("small"), 30, 30)
    );
    assert_eq!(middle, Tiers::default().middle);
    assert_eq!((wise.url.as_deref(), wise.think), (Some("http://127.0.0.1:2"), true));
    assert_eq!((wise.temperature.to_bits(), wise.timeout_s), (0.6_f64.to_bits(), 300));
}

/// A file from before the tiers had sections still means what it meant, and what a section says wins.
#[test]
fn older_names_of_the_tiers_settings_are_known() {
    let old = "[llm]\nplan_timeout_s = 300\ncall_timeout_s = 60\nthink = true\n";
    let tiers = load(old).unwrap().llm.tiers;
    let mut expected = Tiers::default().waiting(300, 60);
    expected.wise.think = true;
    assert_eq!(tiers, expected);
    let both = load(&format!("{old}[llm.fast]\ntimeout_s = 5\n")).unwrap().llm.tiers;
    assert_eq!((both.fast.timeout_s, both.middle.timeout_s), (5, 60));
    let (_folder, environment) = household("");
    let environment = environment.saying("METNOS_LLM_WISE_THINK", "on");
    assert!(Config::load(&environment).unwrap().llm.tiers.wise.think);
}

#[test]
fn nightly_copies_are_made_where_the_household_says_and_nowhere_else() {
    assert_eq!(load("").unwrap().backup, None);
    let (folder, environment) = household("[backup]\nfolder = \"~/copies\"\nkeep = 3\n");
    let backup = Config::load(&environment).unwrap().backup.unwrap();
    assert_eq!((backup.folder, backup.keep), (folder.path().join("copies"), 3));
}

#[test]
fn a_named_file_that_is_missing_is_an_error_and_the_usual_one_is_not() {
    let environment = Environment {
        home: Some(PathBuf::from("/nowhere")),
        config: Some(PathBuf::from("/nowhere/config.toml")),
        ..Environment::default()
    };
    assert!(matches!(Config::load(&environment), Err(ConfigError::Read { .. })));
    let environment = Environment {
        config: None,
        ..environment
    };
    assert!(Config::load(&environment).is_ok());
}

#[test]
fn a_token_file_must_be_closed_to_others() {
    let (folder, environment) = household("[telegram]\ntoken_file = \"~/token\"");
    let token = folder.path().join("token");
    fs::write(&token, "123:abc\n").unwrap();
    fs::set_permissions(&token, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(matches!(Config::load(&environment), Err(ConfigError::Exposed { .. })));
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
    let config = Config::load(&environment).unwrap();
    assert_eq!(config.telegram.token.as_ref().unwrap().expose(), "123:abc");
    assert!(!format!("{config:?}").contains("123:abc"), "a secret is never shown");
}

#[test]
fn an_online_provider_is_off_until_somebody_says_so() {
    let silent = load("").unwrap();
    assert_eq!(silent.mode, Mode::Local);
    let online = silent.llm.online;
    assert_eq!(
        (online.url.as_str(), online.gap()),
        ("https://api.anthropic.com", Some(OnlineGap::Model))
    );
    assert_eq!(
        (online.spend_max_day.to_string(), online.spend_max_month.to_string()),
        ("0.50".to_owned(), "5.00".to_owned())
    );
    assert_eq!(
        load("[llm.online]\nprovider = \"openai\"").unwrap().llm.online.url,
        "https://api.openai.com"
    );
    let half = load("[llm.online]\nmodel = \"m\"\nusd_per_million_in = 3").unwrap();
    assert_eq!(half.llm.online.prices, None, "one price is none");
}

#[test]
fn the_providers_key_is_kept_as_the_token_is() {
    let (folder, environment) = household("[llm.online]\nmodel = \"m\"\nkey_file = \"~/key\"");
    let key = folder.path().join("key");
    fs::write(&key, "sk-123\n").unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(matches!(Config::load(&environment), Err(ConfigError::Exposed { .. })));
    let (rest, mistakes) = Config::salvage(&environment);
    assert_eq!(
        (rest.unwrap().llm.online.model.as_deref(), mistakes.len()),
        (Some("m"), 1),
        "{mistakes:?}"
    );
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let config = Config::load(&environment).unwrap();
    assert_eq!(config.llm.online.key.as_ref().unwrap().expose(), "sk-123");
    assert!(config.protected(&environment).contains(&key));
    assert!(!format!("{config:?}").contains("sk-123"), "a secret is never shown");
    let from_environment = Environment {
        llm_online_key: Some("sk-456".to_owned()),
        ..environment
    };
    let config = Config::load(&from_environment).unwrap();
    assert_eq!(config.llm.online.key.unwrap().expose(), "sk-456");
}

#[test]
fn what_goes_to_a_provider_is_locked() {
    for (url, is_good) in [
        ("https://llm.example/v1", true),
        ("http://127.0.0.1:4000", true),
        ("http://[::1]:4000", true),
        ("http://localhost:4000", true),
        ("http://llm.example", false),
        ("http://192.168.1.2:4000", false),
        ("http://localhost.example", false),
        ("ftp://llm.example", false),
        ("https://me:sk-123@llm.example", false),
    ] {
        let loaded = load(&format!("[llm.online]\nurl = \"{url}\""));
        assert_eq!(loaded.is_ok(), is_good, "{url}");
    }
}

#[test]
fn the_config_folder_and_the_token_are_closed_to_executors() {
    let (folder, environment) = household("[telegram]\ntoken_file = \"~/token\"");
    let environment = Environment {
        telegram_token: Some("123:abc".to_owned()),
        ..environment
    };
    let config = Config::load(&environment).unwrap();
    let wanted = [".config/metnos", "config.toml", "token"].map(|name| folder.path().join(name));
    assert_eq!(config.protected(&environment), wanted);
}

#[test]
fn the_environment_comes_last() {
    let (folder, environment) = household("language = \"it\"\n[llm]\nurl = \"http://127.0.0.1:1\"");
    let elsewhere = folder.path().join("elsewhere").display().to_string();
    let environment = Environment {
        lang: Some("en_GB.UTF-8".to_owned()),
        ..environment
    };
    let environment = environment
        .saying("METNOS_LLM_URL", "http://127.0.0.1:2/")
        .saying("METNOS_DATA_DIR", elsewhere);
    let config = Config::load(&environment).unwrap();
    assert_eq!(config.llm.url.as_deref(), Some("http://127.0.0.1:2"));
    assert_eq!(config.data_dir, folder.path().join("elsewhere"));
    assert_eq!(
        config.lang,
        Lang::IT,
        "the file is about this very thing, LANG is a guess"
    );
}

/// One key, one variable; and every one of them takes what the file says of it.
#[test]
fn every_key_of_the_file_has_one_variable() {
    let example: toml::Table = EXAMPLE.parse().unwrap();
    let mut keys = Vec::new();
    for (name, value) in &example {
        match value.as_table() {
            Some(section) => collect(section, &format!("{name}."), &mut keys),
            None => keys.push((name.clone(), value.clone())),
        }
    }
    let mut named: Vec<&str> = VARIABLES.iter().map(|(key, _)| *key).collect();
    named.sort_unstable();
    let mut written: Vec<&str> = keys.iter().map(|(key, _)| key.as_str()).collect();
    written.sort_unstable();
    assert_eq!(named, written);
    let mut variables: Vec<&str> = VARIABLES.iter().map(|(_, variable)| *variable).collect();
    variables.sort_unstable();
    variables.dedup();
    assert_eq!(variables.len(), VARIABLES.len(), "no variable stands for two keys");
    let (_folder, environment) = household("");
    let mut said = environment.clone();
    for (key, value) in keys.iter().filter(|(_, value)| !value.is_array()) {
        let variable = VARIABLES.iter().find(|(name, _)| name == key).unwrap().1;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        said = said.saying(variable, text);
    }
    let (silent, said) = (Config::load(&environment).unwrap(), Config::load(&said).unwrap());
    assert_eq!(
        format!("{silent:?}"),
        format!("{said:?}"),
        "the defaults said by environment"
    );
}

fn collect(table: &toml::Table, before: &str, keys: &mut Vec<(String, toml::Value)>) {
    for (name, value) in table {
        match value.as_table() {
            Some(section) => collect(section, &format!("{before}{name}."), keys),
            None => keys.push((format!("{before}{name}"), value.clone())),
        }
    }
}

#[test]
fn the_environment_wins_over_the_file_and_the_file_over_the_default() {
    let (_folder, environment) = household("[memory]\nfastpath_max = 7\nfastpath_stale_days = 3");
    let environment = environment
        .saying("METNOS_FASTPATH_MAX", "9")
        .saying("METNOS_AUTOPATH_MIN_OBS", "2")
        .saying("METNOS_FASTPATH_AUTOPROMOTE", "on")
        .saying("METNOS_ENGINE", "frontier")
        .saying("METNOS_ENGINE_POOL_SIZE", "8")
        .saying("METNOS_JUDGE_THRESHOLD", "0.5")
        .saying("METNOS_PROMOTER_NOTIFY_ADMIN", "false")
        .saying("METNOS_PROMOTER_GRACE_HOURS", "24")
        .saying("METNOS_DEVICES_GUEST_AREAS", "Hall, Kitchen");
    let config = Config::load(&environment).unwrap();
    let memory = &config.memory;
    assert_eq!((memory.fastpath_max, memory.fastpath_stale_days), (9, 3));
    assert_eq!(
        (memory.fastpath_grace_days, memory.autopath_min_obs.to_bits()),
        (14, 2.0_f64.to_bits())
    );
    assert!(config.promotion.autopromote);
    assert_eq!((config.engine, config.mode), (EngineChoice::Metis, Mode::Online));
    assert_eq!(
        (config.pool_size, config.judge_threshold.to_bits()),
        (8, 0.5_f64.to_bits())
    );
    assert_eq!(
        (config.promoter.digest, config.promoter.grace_hours),
        (DigestForm::Silent, 24)
    );
    assert_eq!(config.devices.guest_areas, ["Hall", "Kitchen"]);
}

#[test]
fn a_wrong_variable_is_named_and_an_unknown_one_is_told_with_the_nearest() {
    let i18n = I18n::embedded().unwrap();
    for (variable, value) in [
        ("METNOS_FASTPATH_MAX", "many"),
        ("METNOS_FASTPATH_MAX", "0"),
        ("METNOS_JUDGE_THRESHOLD", "2"),
        ("METNOS_PROMOTER_DRY_RUN", "perhaps"),
        ("METNOS_AUTOPATH_MIN_OBS", "one"),
        ("METNOS_ENGINE", "clever"),
    ] {
        let (_folder, environment) = household("");
        let environment = environment.saying(variable, value);
        let error = Config::load(&environment).unwrap_err();
        for lang in Lang::BUILT_IN {
            let said = i18n.say(lang, &error.told());
            assert!(
                said.contains(variable) && said.contains(value) && !said.contains("config-"),
                "{said}"
            );
        }
        let (config, mistakes) = Config::salvage(&environment);
        assert!(config.is_some() && mistakes.len() == 1, "{variable}: {mistakes:?}");
    }
    let (_folder, environment) = household("");
    let environment = environment
        .saying("METNOS_FASTPATH_STALEDAYS", "3")
        .saying("METNOS_COLOUR_OF_THE_SKY", "blue")
        .saying("METNOS_USER_DATA", "/tmp/elsewhere")
        .saying("METNOS_LIVE_LLM_URL", "http://127.0.0.1:1");
    let config = Config::load(&environment).unwrap();
    assert_eq!(
        config.data_dir,
        PathBuf::from("/tmp/elsewhere"),
        "known by its older name, too"
    );
    let told: Vec<String> = config
        .unknown
        .iter()
        .map(|unknown| i18n.say(Lang::EN, &unknown.told()))
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].contains("METNOS_COLOUR_OF_THE_SKY") && !told[0].contains("Did you mean"),
        "{told:?}"
    );
    assert!(
        told[1].contains("METNOS_FASTPATH_STALEDAYS") && told[1].contains("METNOS_FASTPATH_STALE_DAYS"),
        "{told:?}"
    );
}
