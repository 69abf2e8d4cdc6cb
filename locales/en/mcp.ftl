# Tools of others: servers of the Model Context Protocol.

mcp-none = No server of tools is configured. Add one with: metnos mcp add NAME /path/to/program
mcp-server = { $server }: { $count ->
    [one] one tool
   *[other] { $count } tools
}
mcp-changed-mark = changed since it was admitted, and off until you look at it again
mcp-bad-name = “{ $server }” cannot be the name of a server: up to twelve small letters and digits can.
mcp-there-already = The configuration has a server called { $server } already.
mcp-no-config = I don't know where the configuration file is.
mcp-added = { $server } is in { $file } now. Look at its tools with: metnos mcp list
mcp-no-tool = { $server } has no tool called { $tool }. See: metnos mcp list
mcp-unsayable = { $tool } can't be admitted: its argument { $argument } is of a kind no request can name.
mcp-says = { $tool } says of itself:
mcp-proposal = Here it would be called { $name }, and { $effect ->
    [changes] ask every time before it runs, since it may change something (--reads, if it does not)
   *[reads] run without asking, since it only reads (--changes, if it does more)
}:
mcp-admit = Admit it? (yes or no)
mcp-not-admitted = Not admitted.
mcp-admitted = { $name } is admitted. What is said of it stands in { $file }; sign it again after a change: metnos catalog sign { $name }
mcp-name-taken = There is a tool called { $name } already. Give this one another name with --as.
mcp-not-configured = The server { $server } is no longer in the configuration, so its tools can't be used.
mcp-no-server = The server { $server } does not answer. See what is wrong with: metnos mcp list
mcp-gone = The server { $server } was gone before it answered.
mcp-late = The server { $server } did not answer in time.
mcp-refused = The server { $server } refused the call of { $tool } and did nothing.
mcp-garbled = The server { $server } answered something I can't read.
mcp-changed = { $tool } of { $server } is not what it was when it was admitted, so I don't use it. Whoever looks after this machine can look at it again with: metnos mcp trust { $server } { $tool }
mcp-failed = { $tool } of { $server } says that it failed: { $said }
mcp-nothing = It answered nothing.
mcp-note-cut = The answer was longer; this is its beginning.
mcp-note-left-out = { $count ->
    [one] One part that is no text is not shown.
   *[other] { $count } parts that are no text are not shown.
}
