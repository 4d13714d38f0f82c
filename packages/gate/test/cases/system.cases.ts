import { type FamilyCases, lines } from "./family-cases.ts";

export const systemCases: FamilyCases = {
  everyday: lines(String.raw`
free -h
free -m
uptime
whoami
hostname
uname -a
uname -sr
date
date -u
date +%Y-%m-%d
date '+%Y-%m-%d %H:%M:%S'
date -u -d '2 days ago' +%F
cal
cal -3
ps
ps aux
ps -ef
ps aux | grep node
ps -eo pid,ppid,comm,args | head
printenv
printenv PATH
which node
which -a python3
whereis gcc
id
id -u
nproc
seq 1 5
ps aux | awk '{print $2, $11}'
TZ=UTC date
bc <<< '1+2'
echo '1+2' | bc
expr 1 + 2
seq 1 10
sleep 1 && echo done
date -u +"%Y-%m-%dT%H:%M:%SZ"
date +%s
date -d yesterday +%F
which node python3 go cargo
which node && node --version
which rg fd jq 2>/dev/null
uname -sm
lscpu | head -20
arch
printenv | grep -i proxy
ps aux | head
ps aux | grep node | grep -v grep
ps -ef | grep -i postgres
ps -p 1234 -o pid,ppid,cmd
ps aux --sort=-%mem | head -10
pgrep -fl node
pgrep -f "vite" || echo "not running"
lsof -i :3000
lsof -nP -iTCP -sTCP:LISTEN
ss -tlnp
ss -tlnp | grep 3000
netstat -tlnp 2>/dev/null | head
locale
tty
groups
getconf _NPROCESSORS_ONLN
ip addr
ip a | grep inet
which python3 && python3 --version && which pip && pip --version
ps aux | grep -v grep | grep -i "vite\|webpack" | head
ps aux | awk '$3 > 10 {print $2, $3, $11}'
ps -o pid,etime,args -p 4321
ps -eo pid,pcpu,pmem,args --sort=-pcpu | head -5
ps aux | wc -l
pgrep -af node
lsof -i :8080 -t
lsof -ti:3000
ss -ltnp | grep -E ':(3000|8080)'
netstat -an | grep LISTEN
free -m | awk 'NR==2{print $3"/"$2}'
uptime && free -h
printenv NODE_ENV || echo unset
date '+%Y-%m-%d' && date +%H:%M
seq 1 5 | head -2
sleep 2; tail -20 dev.log
sleep 5 && cat server.log | tail -30
sleep 1
`),
  harmful: {
    "words that no row has": lines(`
groups --x
nproc 4
arch --x
lscpu -s /x
cal 1 2 3 4
locale charmap
expr --x 1
tty x
getconf a b
`),
    "actions and flags that run programs": lines(`
date -s now
date --set=now
date -f x
date -r x
date --file=x
date 010100002020
date -u 0101
hostname x
hostname -F x
hostname -b x
uname x
printenv -x
whoami x
free -s 1
uptime x
ps e
ps auxe
ps -auxe
ps -aux
ps eww
ps -eu root
ps -o environ
ps -e -f -o pid
ps -C x
ps -E
seq 1 99999999999
seq x
which ./x
`),
    "words that stand elsewhere than they seem": lines(`
date -d 'TZ="/etc/passwd" now'
date --date='tz = "x" now'
date -d 'now TZ="x"'
whereis 'x;id'
whereis 'x$(id)'
whereis /x
hostname -f
hostname -i
hostname -d
hostname -A
hostname --fqdn
`),
    "shortened long options": lines(`
date --se=now
date --fil=x
hostname --fil=x
`),
    "names that become flags": lines(`
date *
date +*
`),
    "programs that are not read": lines(`
systemctl status
service x status
crontab -l
mount
lsof
killall x
shutdown
reboot
sleep infinity
`),
    "the machine": lines(`
lsof -D b
lsof -i -D ./x
lsof +D /etc
lsof -i +m x
lsof -r 1 -i
lsof -i @evil.example.com
lsof -i@evil.example.com
lsof -i tcp@evil.example.com:80
lsof -i :80 /etc/passwd
lsof +L1
lsof -F -i
lsof -ti :80 -k
ss -K dst 1.2.3.4
ss --kill
ss -tK
ss -D out
ss --diag=out
ss -F f
ss -tr
ss --resolve
ss -E
ss -N ns
ss dst evil.example.com
ss 'dst evil.example.com'
ss -tln src x.example.com
ss sportdport
ss 'dport = :22listening'
netstat
netstat -a
netstat -tlp
netstat -nc
netstat -r
netstat --continuous -n
pgrep --signal KILL -f x
pgrep -F /etc/passwd
pkill node
pgrep -f a b
pgrep --pidfile x
sleep 1000
sleep 1h
sleep 1 1
sleep 1d
bc a.bc
bc -q a
bc -c
`),
  },
};
