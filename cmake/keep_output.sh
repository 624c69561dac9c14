#!/bin/sh
# keep_output.sh LOG COMMAND...: runs the command; what it prints goes to LOG.FILE, FILE being the
# object it makes, and to the terminal only if it fails.
log=$1
shift
object=
for word in "$@"; do
  [ "$object" = next ] && object=$word && break
  [ "$word" = -o ] && object=next
done
log=$log.$(basename "$object")
"$@" >"$log" 2>&1
status=$?
[ $status -eq 0 ] || cat "$log" >&2
exit $status
