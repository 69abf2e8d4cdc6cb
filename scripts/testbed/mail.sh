#!/bin/bash
# A mail server for tests: Dovecot (IMAP with TLS, LMTP) and an SMTP sink that hands every mail to it, on loopback. An
# authority of its own signs the certificates; others are wrong on purpose: another name, expired, self-signed.
# Idempotent. Usage: mail.sh [start|stop|clean]; start prints where it is: the first port, and the folder with the
# certificates behind it. METNOS_TESTBED names the folder, METNOS_MAIL_PORT the first of ten ports:
#   +0 IMAP over TLS   +1 IMAP with STARTTLS   +2 LMTP   +3 SMTP over TLS   +4 SMTP with STARTTLS
#   +5 IMAP, another name   +6 IMAP, expired   +7 IMAP, self-signed   +8 SMTP that breaks after the message
# Every user@bed.local may log in with the password `bedpass`. `nobody@` is refused, `busy@` is put off.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bed=${METNOS_TESTBED:-$HOME/.cache/metnos-testbed}/mail
port=${METNOS_MAIL_PORT:-21500}
mkdir -p "$bed"/{run,state,tls}
cd "$bed"
# The boxes belong to the user `mail`, who must not be let into this home.
boxes=/var/tmp/metnos-mail-$port

stop() {
    if [ -f run/master.pid ] && kill -0 "$(cat run/master.pid)" 2>/dev/null; then kill "$(cat run/master.pid)"; fi
    if [ -f sink.pid ] && kill -0 "$(cat sink.pid)" 2>/dev/null; then kill "$(cat sink.pid)"; fi
    rm -f sink.pid
}

case ${1:-start} in
stop) stop; exit 0 ;;
clean) stop; sleep 0.3; rm -rf "$boxes" ;;
esac

command -v dovecot >/dev/null ||
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends dovecot-imapd dovecot-lmtpd; } >/dev/null
if ! venv/bin/python -c "import aiosmtpd" 2>/dev/null; then
    python3 -m venv venv
    venv/bin/pip install -q aiosmtpd==1.4.6
fi

# The authority, and a certificate each of a kind.
. "$here/tls.sh"
certificates

cat >dovecot.conf <<D
base_dir = $bed/run
state_dir = $bed/state
log_path = $bed/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <$bed/tls/good.pem
ssl_key = <$bed/tls/good.key
disable_plaintext_auth = yes
auth_username_format = %n
mail_location = maildir:$boxes/%n
mail_max_userip_connections = 50
first_valid_uid = 1
default_internal_user = dovecot
default_login_user = dovenull
passdb {
  driver = static
  args = password=bedpass
}
userdb {
  driver = static
  args = uid=mail gid=mail home=$boxes/%n allow_all_users=yes
}
service imap-login {
  inet_listener imap {
    port = $((port + 1))
  }
  inet_listener imaps {
    port = $port
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    port = $((port + 2))
  }
}
protocol lmtp {
  postmaster_address = postmaster@bed.local
  auth_username_format = %n
}
namespace inbox {
  inbox = yes
  mailbox Drafts {
    auto = subscribe
    special_use = \Drafts
  }
  mailbox Sent {
    auto = subscribe
    special_use = \Sent
  }
  mailbox Trash {
    auto = subscribe
    special_use = \Trash
  }
  mailbox Junk {
    auto = subscribe
    special_use = \Junk
  }
  mailbox Archive {
    auto = subscribe
    special_use = \Archive
  }
}
D
mkdir -p "$boxes"
chown -R mail:mail "$boxes"
ln -sfn "$boxes" box
[ -f run/master.pid ] && kill -0 "$(cat run/master.pid)" 2>/dev/null || dovecot -c "$bed/dovecot.conf"
if ! { [ -f sink.pid ] && kill -0 "$(cat sink.pid)" 2>/dev/null; }; then
    setsid venv/bin/python "$here/mailsink.py" "$port" "$bed/tls" >sink.log 2>&1 &
    echo $! >sink.pid
fi
for up in 0 3 4 5; do
    for _ in $(seq 100); do
        (exec 3<>"/dev/tcp/127.0.0.1/$((port + up))") 2>/dev/null && continue 2
        sleep 0.1
    done
    echo "port $((port + up)) does not answer" >&2
    exit 1
done
echo "imap://127.0.0.1:$port$bed"
