#!/bin/sh
# Turns "emulated" into "verified": runs the contract kit, and all other tests of this module, on an Oracle of yours, and
# prints its version and the tally.
#
#   store-oracle/verify-on-oracle.sh jdbc:oracle:thin:@//host:1521/service user     asks for the password, or takes it
#                                                                                   from DEDUP_ORACLE_PASSWORD
#   store-oracle/verify-on-oracle.sh                                                takes a container engine's Oracle Free
#
# The user's schema is for these tests alone: they create, fill and drop tables in it. As SYS, for a user "dedup_kit":
#   GRANT CREATE SESSION, CREATE TABLE TO dedup_kit;  ALTER USER dedup_kit QUOTA UNLIMITED ON users;
#   GRANT EXECUTE ON SYS.DBMS_LOCK TO dedup_kit;      GRANT SELECT ON SYS.V_$SESSION TO dedup_kit;
set -eu
cd "$(dirname "$0")/.."
set -- "${1-}" "${2-}"
if [ -n "$1" ]; then
    [ -n "$2" ] || { echo "usage: $0 [jdbc:oracle:thin:@//host:1521/service user]" >&2; exit 2; }
    if [ -z "${DEDUP_ORACLE_PASSWORD-}" ]; then
        printf 'Password of %s: ' "$2" >&2
        trap 'stty echo' EXIT INT TERM
        stty -echo
        read -r DEDUP_ORACLE_PASSWORD
        stty echo
        trap - EXIT INT TERM
        echo >&2
    fi
    export DEDUP_ORACLE_PASSWORD
    set -- "-Ddedup.oracle.url=$1" "-Ddedup.oracle.user=$2"
else
    set --
fi
exec mvn -B -ntp -pl store-oracle -am verify -Dtest='io.dedupstore.oracle.*Test' \
    -Dsurefire.failIfNoSpecifiedTests=false -Ddedup.require=oracle "$@"
