//! What goes on a list as people dictate it: corrections, pauses, spoken signs, articles and amounts. Played over a
//! home with lists in it.

use super::{LANGUAGE, home_of, line};
use crate::{
    domain::lang::Lang,
    engine::{composer::compose, fixtures::shipped},
    language::Home,
};

/// What is said, and the lines that it makes.
const ADDED: &[(&str, &str)] = &[
    // What is taken back is no thing.
    ("add milk I mean butter to the shopping list", "butter"),
    ("add milk, actually butter to the shopping list", "butter"),
    ("aggiungi alla lista shopping latte anzi burro", "burro"),
    ("aggiungi alla lista shopping il latte cioè la panna", "panna"),
    ("aggiungi alla lista shopping latte anzi no burro", "burro"),
    // Thanks, pauses and dictated signs are no things.
    ("aggiungi alla lista shopping latte grazie mille", "latte"),
    ("add um like butter to the shopping list", "butter"),
    ("add butter uh and jam to the shopping list", "butter\\njam"),
    (
        "add butter comma jam comma tea to the shopping list",
        "butter\\njam\\ntea",
    ),
    ("aggiungi alla lista shopping latte virgola pane", "latte\\npane"),
    ("aggiungi alla lista shopping latte punto", "latte"),
    ("add period to the shopping list", "period"),
    // An article inside a thing is a part of it.
    ("add don't forget the milk to the todo list", "don't forget the milk"),
    ("add half a melon to the shopping list", "half a melon"),
    ("add cheese the soft one to the shopping list", "cheese the soft one"),
    (
        "add the milk the tea and a melon to the shopping list",
        "milk\\ntea\\nmelon",
    ),
    ("aggiungi alla lista shopping il pane un melone", "pane\\nmelone"),
    // A half belongs to its amount.
    (
        "aggiungi alla lista shopping un chilo e mezzo di farina",
        "un chilo e mezzo di farina",
    ),
    (
        "add a kilo and a half of flour to the shopping list",
        "a kilo and a half of flour",
    ),
    (
        "add a litre and a quarter of juice to the shopping list",
        "a litre and a quarter of juice",
    ),
    (
        "aggiungi alla lista shopping un chilo e tre quarti di farina",
        "un chilo e tre quarti di farina",
    ),
    (
        "aggiungi alla lista shopping latte e un quarto di panna",
        "latte\\nun quarto di panna",
    ),
    (
        "aggiungi alla lista shopping latte e mezzo melone",
        "latte\\nmezzo melone",
    ),
    // What each is for says where one ends.
    (
        "add milk for the baby and bread for the party to the shopping list",
        "milk for the baby\\nbread for the party",
    ),
    (
        "add a present for Anna and Luca to the shopping list",
        "present for Anna and Luca",
    ),
    (
        "add a present for Anna and Luca for Christmas to the shopping list",
        "present for Anna and Luca for Christmas",
    ),
    // Behind a colon, too.
    (
        "add to the todo list: read the manual, move the car and delete old photos",
        "read the manual\\nmove the car\\ndelete old photos",
    ),
    (
        "aggiungi alla lista shopping: latte, 2 l di acqua",
        "latte\\n2 l di acqua",
    ),
    ("add to the todo list: buy bread and milk", "buy bread and milk"),
    // When something is to be done belongs to it.
    (
        "add call the plumber before friday to the todo list",
        "call the plumber before friday",
    ),
    (
        "aggiungi alla lista todo pulire la cucina dopo pranzo",
        "pulire la cucina dopo pranzo",
    ),
];

/// What nobody can know.
const OPEN: &[&str] = &[
    "add milk and bread I mean butter to the shopping list",
    "add milk I mean butter and jam to the shopping list",
    "add milk I mean to the shopping list",
    "add milk for Anna I mean Luca to the shopping list",
    "aggiungi alla lista shopping un pacco di pasta cioè due",
    "aggiungi alla lista shopping uova anzi due",
    "aggiungi alla lista shopping latte anzi no",
    "add peanut um butter to the shopping list",
    "aggiungi alla lista todo che ore sono",
    // Where among the lines one is to stand, which no tool can do; in a file that nobody knows, too.
    "add call dad below call mom to the todo list",
    "add call dad on top to the todo list",
    "add eggs before milk to the shopping list",
    "add eggs before milk to ~/lists/food.md",
    "add eggs on top of milk to ~/lists/food.md",
    "aggiungi uova in cima a ~/lists/food.md",
    "aggiungi uova prima del latte in ~/lists/food.md",
    "aggiungi uova come prima riga a ~/lists/food.md",
];

fn composed(text: &str, home: &Home) -> String {
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let catalog = shipped();
    line(&compose(
        &LANGUAGE.read_at_home(text, Lang::EN, &now, home),
        &catalog,
        &[],
    ))
}

#[test]
fn a_list_takes_what_is_meant_one_thing_a_line() {
    let (_folder, home) = home_of(&["notes/shopping.txt", "notes/todo.md"]);
    for (text, lines) in ADDED {
        let name = if text.contains("todo") {
            "todo.md"
        } else {
            "shopping.txt"
        };
        let wanted = format!("write_files{{path:~/notes/{name},content:{lines},mode:add_lines}}");
        assert_eq!(composed(text, &home), wanted, "{text}");
    }
    for text in OPEN {
        let found = composed(text, &home);
        assert!(found.starts_with("unsure"), "{text}: {found}");
    }
}

/// The name of a list, a colon and what goes on it; the file, and the lines.
const SHORT: &[(&str, &str, &str)] = &[
    ("shopping list: eggs and bread", "shopping.txt", "eggs\\nbread"),
    ("Shopping: the eggs, some bread please", "shopping.txt", "eggs\\nbread"),
    ("on the shopping list: eggs", "shopping.txt", "eggs"),
    (
        "groceries: 2 pounds of potatoes",
        "shopping.txt",
        "2 pounds of potatoes",
    ),
    (
        "shopping list: milk (2 l) and salt",
        "shopping.txt",
        "milk (2 l)\\nsalt",
    ),
    ("shopping list: sun cream", "shopping.txt", "sun cream"),
    ("shopping list: milk, I mean butter", "shopping.txt", "butter"),
    (
        "spesa: pane senza glutine e uova",
        "shopping.txt",
        "pane senza glutine\\nuova",
    ),
    (
        "lista della spesa: i pomodori, il latte",
        "shopping.txt",
        "pomodori\\nlatte",
    ),
    (
        "nella lista della spesa: vino per sabato",
        "shopping.txt",
        "vino per sabato",
    ),
    ("todo: call the plumber", "todo.md", "call the plumber"),
    ("to-do: pay rent", "todo.md", "pay rent"),
    ("to do: read the manual", "todo.md", "read the manual"),
    (
        "things to do: take the car to the garage, email Anna tomorrow",
        "todo.md",
        "take the car to the garage\\nemail Anna tomorrow",
    ),
    ("da fare: chiamare l'idraulico", "todo.md", "chiamare l'idraulico"),
    ("todo: i compiti di Luca", "todo.md", "i compiti di Luca"),
    ("guest list: Marta and Ugo", "guest list.txt", "Marta\\nUgo"),
];

/// What stands behind the colon is a question, a command or an amount of money; or no list stands before it.
const NOT_SHORT: &[&str] = &[
    "shopping: where is the mall?",
    "shopping: where is the mall",
    "shopping list: eggs?",
    "shopping list: how many",
    "shopping list: what's on it",
    "shopping list: show",
    "shopping list: read it",
    "shopping list: clear",
    "shopping list: remove the eggs",
    "shopping list: find milk",
    "shopping list: sort by name",
    "shopping list: send it to Anna",
    "shopping list: no eggs",
    "shopping list: everything from last week",
    "shopping list: 12",
    "shopping list: it",
    "shopping list: ~/docs/a.txt",
    "shopping list: 50 euros",
    "shopping list at 5: eggs",
    "list the shopping: eggs",
    "todo: delete the first",
    "todo: take the milk off",
    "todo: is the plumber on it",
    "todo: tomorrow",
    "todo: send to Anna",
    "spesa: quanto ho speso?",
    "spesa: quanto ho speso",
    "spesa: cosa manca",
    "spesa: 50 euro",
    "spesa: togli il latte",
    "spesa: metti le uova",
    "spesa: leggi",
    "spesa: non comprare il latte",
    "da fare: cosa c'è",
    "lista della spesa: svuotala",
    "list: eggs",
    "insurance list: eggs",
    "birthday list: eggs",
    "diary: eggs",
    "~/notes/shopping.txt: eggs",
];

#[test]
fn the_name_of_a_list_and_a_colon_say_what_goes_on_it() {
    let files = [
        "notes/shopping.txt",
        "notes/todo.md",
        "notes/guest list.txt",
        "notes/diary.md",
        "docs/home_insurance_policy.txt",
        "docs/a.txt",
    ];
    let (_folder, home) = home_of(&files);
    for (text, name, lines) in SHORT {
        let wanted = format!("write_files{{path:~/notes/{name},content:{lines},mode:add_lines}}");
        assert_eq!(composed(text, &home), wanted, "{text}");
    }
    for text in NOT_SHORT {
        let found = composed(text, &home);
        assert!(found.starts_with("unsure"), "{text}: {found}");
    }
    assert_eq!(composed("todo: remind me to call Anna", &home), "unsure todo,call,Anna");
    let note = "write_files{path:~/notes/eggs.txt,content:eggs,mode:fail_if_exists}";
    assert_eq!(composed("note: eggs", &home), note);
    // Of two that are called so, the one with that very name; otherwise nobody knows.
    let (_folder, home) = home_of(&["notes/shopping.txt", "notes/spesa.txt"]);
    let wanted = "write_files{path:~/notes/spesa.txt,content:uova,mode:add_lines}";
    assert_eq!(composed("spesa: uova", &home), wanted);
    let (_other, things) = home_of(&["notes/cose da fare.md"]);
    for text in ["da fare: tè", "cose da fare: tè", "todo: tè"] {
        let wanted = "write_files{path:~/notes/cose da fare.md,content:tè,mode:add_lines}";
        assert_eq!(composed(text, &things), wanted, "{text}");
    }
    let asked = composed("groceries: eggs", &home);
    assert!(asked.starts_with("get_inputs"), "{asked}");
}

#[test]
fn one_list_is_changed_twice_in_one_breath() {
    let (_folder, home) = home_of(&["notes/shopping.txt"]);
    let path = "path:~/notes/shopping.txt,content";
    let wanted = format!("write_files{{{path}:bread,mode:remove_lines}} → write_files{{{path}:tea,mode:add_lines}}");
    for text in [
        "remove the bread from the shopping list and add tea to the shopping list",
        "remove \"bread\" from the shopping list, then add \"tea\" to the shopping list",
        "togli bread dalla spesa, poi aggiungi tea alla spesa",
    ] {
        assert_eq!(composed(text, &home), wanted, "{text}");
    }
}

#[test]
fn what_is_counted_is_taken_off_by_its_number() {
    let (_folder, home) = home_of(&["notes/shopping.txt"]);
    for (text, said) in [
        ("remove a bread from the shopping list", "a bread"),
        ("remove one bread from the shopping list", "one bread"),
        ("remove the bread from the shopping list", "bread"),
        ("togli un pane dalla lista shopping", "un pane"),
    ] {
        let wanted = format!("write_files{{path:~/notes/shopping.txt,content:{said},mode:remove_lines}}");
        assert_eq!(composed(text, &home), wanted, "{text}");
    }
}

#[test]
fn who_is_written_to_is_no_text_that_shares_the_word() {
    let files = [
        "docs/letter_school.txt",
        "docs/lista casa.txt",
        "notes/diary.md",
        "docs/lasagne_recipe.txt",
    ];
    let (_folder, home) = home_of(&files);
    for text in [
        "write to the school that anna is ill",
        "write a letter to the school",
        "write to the lasagne that it is good",
        "write to the school: hello",
        "scrivi alla casa che va bene",
        "scrivi alla zia che va bene",
    ] {
        assert_eq!(composed(text, &home), "no messages", "{text}");
    }
    for (text, path, said) in [
        ("write to my diary that i am happy", "~/notes/diary.md", "i am happy"),
        ("scrivi al diario che sono felice", "~/notes/diary.md", "sono felice"),
        (
            "write to the school letter file: hello",
            "~/docs/letter_school.txt",
            "hello",
        ),
        ("write to the letter school: hello", "~/docs/letter_school.txt", "hello"),
    ] {
        let wanted = format!("write_files{{path:{path},content:{said},mode:append}}");
        assert_eq!(composed(text, &home), wanted, "{text}");
    }
    let wanted = "write_files{path:~/docs/lista casa.txt,content:pane,mode:add_lines}";
    assert_eq!(composed("scrivi alla lista casa: pane", &home), wanted);
}

#[test]
fn files_that_are_put_somewhere_are_moved_and_never_written_into_one() {
    let (_folder, home) = home_of(&["docs/report_may.txt", "docs/report_june.txt", "docs/sea.jpg"]);
    let asked = "get_inputs{fields:[{var:dst_dir,kind:file_path,about:destination}]} → move_files{paths:";
    for (text, paths) in [
        (
            "put the reports in it",
            "[~/docs/report_june.txt,~/docs/report_may.txt]",
        ),
        ("mettici i report", "[~/docs/report_june.txt,~/docs/report_may.txt]"),
        ("put sea.jpg in it", "[~/docs/sea.jpg]"),
    ] {
        let wanted = format!("{asked}{paths},dst_dir:${{step1.values.dst_dir}}}}");
        assert_eq!(composed(text, &home), wanted, "{text}");
    }
    for text in ["keep only the pdfs in docs", "tieni solo i pdf in docs"] {
        let found = composed(text, &home);
        assert!(found.starts_with("unsure"), "{text}: {found}");
    }
}

#[test]
fn the_tasks_of_a_list_are_its_lines_and_no_reminders() {
    let (_folder, home) = home_of(&["notes/todo.md"]);
    let read = "find_files{base_path:~,named:todo} → read_files{from_step:1,only_one:true}";
    for (text, wanted) in [
        (
            "how many tasks are on the todo list",
            format!("{read} → filter_texts_lines{{from_step:2}} | ${{step3.count}}"),
        ),
        (
            "show the open tasks on the todo list",
            format!("{read} → filter_texts_lines{{from_step:2,undone:true}}"),
        ),
        (
            "how many open tasks are on the todo list",
            format!("{read} → filter_texts_lines{{from_step:2,undone:true}} | ${{step3.count}}"),
        ),
        ("show me the tasks on the todo list", read.to_owned()),
        (
            "delete the tasks on the todo list",
            "unsure delete the tasks on the todo list".to_owned(),
        ),
        ("move the items of the todo list to docs", "unsure todo,list".to_owned()),
        ("list the tasks", "list_tasks{}".to_owned()),
        ("remind me of the todo list", "unsure todo,list".to_owned()),
    ] {
        assert_eq!(composed(text, &home), wanted, "{text}");
    }
    assert_eq!(composed("show only the done tasks in todo", &home), "unsure done,todo");
}

#[test]
fn what_the_household_keeps_in_a_file_is_read_there() {
    let (_folder, home) = home_of(&["docs/contacts.csv", "docs/my messages.txt", "docs/processes.txt"]);
    let read = "find_files{base_path:~,named:contacts} → read_files{from_step:1,only_one:true}";
    for (text, wanted) in [
        ("read the contacts", read),
        ("show me the contacts", read),
        ("read the messages", "no messages"),
        ("find the contacts of Anna", "no contacts"),
        ("show the processes", "get_processes{}"),
    ] {
        assert_eq!(composed(text, &home), wanted, "{text}");
    }
}

#[test]
fn a_number_never_hides_what_is_to_be_shown() {
    let (_folder, home) = home_of(&["notes/shopping.txt", "notes/a.txt"]);
    for text in [
        "show the shopping list and tell me how many lines",
        "read ~/notes/a.txt and tell me how many lines it has",
        "leggi la lista shopping e dimmi quante righe sono",
    ] {
        assert_eq!(composed(text, &home), "several", "{text}");
    }
    let wanted = "read_files{paths:[~/notes/a.txt]} → filter_texts_lines{from_step:1} | ${step2.count}";
    assert_eq!(composed("how many lines are in ~/notes/a.txt", &home), wanted);
}
