#!/bin/sh
# Run a command beside a PostgreSQL server of its own, for example
#
#     tests/postgres.sh .venv/bin/python -m pytest tests/db tests/tables
#
# The server lives in a temporary directory (in memory where there is 1 GB of it), listens on a socket there
# and nowhere else, and is gone when the command ends, whose exit code is passed on. The command finds the
# server's address in TEST_POSTGRES_URL, and in TEST_POSTGRES_CONTROL what stops, starts or restarts it when
# one of these words is put behind it. On a machine without PostgreSQL it runs without that variable.
set -eu

server_programs() {
    for bin in "$(pg_config --bindir 2>/dev/null)" /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin; do
        if [ -x "$bin/initdb" ] && [ -x "$bin/postgres" ]; then
            echo "$bin"
        fi
    done | tail -n 1
}

bin=$(server_programs)
# The server refuses to run as root, so that root hands it to the account that PostgreSQL came with.
as_server=
if [ "$(id -u)" -eq 0 ]; then
    as_server="runuser -u postgres --"
    id postgres >/dev/null 2>&1 || bin=
fi
if [ -z "$bin" ]; then
    echo "PostgreSQL is not installed here, so that only SQLite is tested." >&2
    unset TEST_POSTGRES_URL TEST_POSTGRES_CONTROL
    exec "$@"
fi

control=true
# In memory where there is room: a database for each test is some hundred files made and removed.
place=${TMPDIR:-/tmp}
if [ "$(df -Pk /dev/shm 2>/dev/null | awk 'END { print $4 + 0 }')" -gt 1000000 ] && [ -w /dev/shm ]; then
    place=/dev/shm
fi
home=$(mktemp -d "$place/tangle-postgres.XXXXXX")
stop() {
    $control stop || true
    rm -rf "$home"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
[ -z "$as_server" ] || chown postgres "$home"
cd "$home"
$as_server "$bin/initdb" --pgdata="$home/data" --username=tangle --auth=trust --encoding=UTF8 --no-sync \
    >"$home/initdb.log"
# What is written here need not outlive a power cut, so that nothing waits for the disk.
$as_server sh -c "cat >>$home/data/postgresql.conf" <<SETTINGS
listen_addresses = ''
unix_socket_directories = '$home'
fsync = off
full_page_writes = off
max_wal_size = 128MB
max_connections = 200
autovacuum = off
jit = off
SETTINGS
control="$as_server $bin/pg_ctl --pgdata=$home/data --log=$home/log --mode=immediate --silent --wait"
$control start || { cat "$home/log" >&2; exit 1; }
cd "$OLDPWD"

TEST_POSTGRES_URL="postgresql://tangle@/postgres?host=$home" TEST_POSTGRES_CONTROL="$control" "$@"
