#!/usr/bin/env bash
# Tables into and out of a local stand-in for S3 (moto), and a cluster job done from what came out.
#
#   deploy/cluster/objects.sh [DIRECTORY]
#
# Needs cargo, Python 3 and moto, which is installed into DIRECTORY/moto if it is not there. BOLSHAK names a program that has
# the feature object_store (it is built if not given).
features=object_store
source "$(dirname "$0")/prelude.sh"
test -d moto || { python3 -m venv moto && moto/bin/pip install --quiet 'moto[server]'; }
rm -rf made back

port=15000
moto/bin/moto_server -H 127.0.0.1 -p "$port" > moto.log 2>&1 &
server=$!
trap 'kill "$server"' EXIT
until curl --silent --output /dev/null "http://127.0.0.1:$port/"; do kill -0 "$server" && sleep 0.2; done
# A stand-in believes everybody.
export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_REGION=us-east-1
export AWS_ENDPOINT_URL=http://127.0.0.1:$port AWS_ALLOW_HTTP=true
curl --silent --fail --output /dev/null --request PUT "$AWS_ENDPOINT_URL/draughts"

"$bolshak" generate --pieces 4 --tables made 2> /dev/null
"$bolshak" generate --slices KKKKvm --kings --tables made 2> /dev/null
"$bolshak" stage out s3://draughts/tables --pieces 4 --tables made
"$bolshak" stage out s3://draughts/tables --slices KKKKvm --kings --tables made
"$bolshak" stage out s3://draughts/tables --slices KKKKvm --kings --tables made
"$bolshak" stage in s3://draughts/tables --pieces 3 --tables back
"$bolshak" slice KKvKK --tables back
diff made/russian/KKvKK.official back/russian/KKvKK.official
"$bolshak" stage in s3://draughts/tables --pieces 4 --tables back
"$bolshak" stage in s3://draughts/tables --slices KKKKvm --kings --tables back
diff -r --exclude=.jobs --exclude=.lock made back
say "$(find back/russian -maxdepth 1 -type f -name '[Km]*' | wc -l) files came back the same"
