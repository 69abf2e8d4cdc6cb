# Why a step does not run, or asks first. One sentence of what, one of why or what next.

policy-guard-secrets = I don't touch { $target }: keys and passwords are kept there, and I stay away from them for everybody. If you need something from it, please open it yourself.
policy-guard-system = I don't touch { $target }: it belongs to the inside of the operating system. If you need it, please look at it yourself on the machine.
policy-guard-own = { $target } belongs to my own records and keys, and no tool may open it. Ask me about what I know instead, or look at it yourself on the machine.
policy-guard-system-tree = I don't change anything in { $target }, because the system needs it to run. Choose a place in your home folder and I'll do it there.
policy-guard-too-wide = { $target } would take things with it that I must not touch, such as your whole home folder, keys or my own settings, so I won't do that. Tell me which folder or which files you mean.
policy-guard-malformed = I can't be sure which place “{ $target }” means: it holds characters that don't belong in a path. Please write it plainly, like ~/documents/letter.txt.
policy-guard-scheme = I only open web addresses that begin with http:// or https://, and { $target } doesn't. Send me a web address, or a file's path.
policy-guard-url-credentials = There is a name or a password inside that web address, so I won't open it: it could end up in a log. Send me the address without them.
policy-guard-metadata = { $target } leads to a machine's internal keys, so I won't open it. Send me another address.
policy-guard-command = I won't run that command: it could destroy data or take over this machine. If you are sure, run it yourself in a terminal.

policy-trust-files = As a guest you can use files in your own folder here, and this one is elsewhere. Ask the host of this house to get it for you.
policy-trust-system = Only the host of this house may look at the machine itself. Ask them, or ask me something else.
policy-trust-network = As a guest you can open public web addresses, but not devices inside this house. Ask the host to look for you.
policy-trust-mcp = Only the host of this house may use tools of others. Ask them to do it for you.
policy-trust-code = Only the host of this house may run programs. Ask them to do it for you.

policy-ask-bulk = That would change { $count ->
    [one] one thing
   *[other] { $count } things
 } at once. Shall I?
policy-ask-irreversible = I can't undo this afterwards. Shall I?
policy-ask-outbound = This leaves the house and I can't call it back. Shall I?
policy-ask-settings = This changes a hidden file of your account, and such files can change how the machine behaves. Shall I?
policy-ask-doubt = I am not sure that this is what you mean. Shall I?
policy-ask-level = At your level ({ $level }) I ask before a step like this. Shall I?
policy-preview = At level { $level } I only say what I would do. Raise the level if you want me to do it.
policy-block-critical = At level { $level } I don't do something this serious. Please do it yourself, or raise the level.
policy-judge = This step ({ $executor }) doesn't seem to fit what you asked, so I left it out. Try saying it again in other words.
