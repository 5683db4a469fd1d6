# It answers without being asked.
while :; do echo '{"energy": 1}'; done
