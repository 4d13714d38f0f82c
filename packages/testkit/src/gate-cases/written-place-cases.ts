// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text for a shell, no template of ours.
const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

/** git and similar commands: they may change `deploy` without naming it. */
export const treeWritingCases: readonly string[] = lines(`
git stash
git stash -u
git stash push -m x
git stash pop
git stash apply stash@{1}
git stash branch x
git reset --hard
git reset --hard HEAD~1
git reset --merge
git reset --keep x
git merge x
git merge --abort
git pull
git pull --rebase
git rebase main
git rebase --continue
git rebase --abort
git cherry-pick x
git revert x
git switch x
git switch -c x origin/y
git switch -
git checkout x
git checkout -
git checkout -b x origin/y
git checkout -f
git checkout HEAD~1
git checkout --detach
git checkout .
git checkout -- .
git clean -fd
git restore .
git restore -s x .
git restore --source=x -- .
git apply x.patch
git apply < x.patch
git am x.mbox
git am < x
git read-tree -u -m x
git read-tree -u --reset x
git checkout-index -a -f
git checkout-index -f --all
git worktree add deploy/x
git submodule update
git submodule update --init --recursive
git submodule add x deploy/x
git bisect start a b
git bisect good
git bisect bad
git sparse-checkout set a
git filter-branch --tree-filter x
git subtree pull --prefix deploy x y
git lfs pull
git lfs checkout
git rm -r .
git mv a deploy/b
git clone x deploy
git init deploy
git archive -o deploy/x.tar HEAD
git format-patch -o deploy HEAD~1
git diff --output=deploy/x
git log --output=deploy/x
git bundle create deploy/x HEAD
git fast-export --export-marks=deploy/x HEAD
cd sub && git stash
cd sub && git merge x
git -C sub stash
git -C sub pull
git --work-tree=. checkout x
git svn rebase
git mergetool
git stash && npm test
gh pr checkout 5
gh repo clone x deploy
jj edit x
hg update x
svn update
bash -c 'git stash'
xargs git checkout < list
`);

/** They change nothing there. */
export const elsewhereWritingCases: readonly string[] = lines(`
git status && npm test
git log --oneline && npm test
git add -A && git commit -m x
git push
git fetch --all
git branch x
git checkout -b x
git switch -c x
git stash list && npm test
git stash drop
git tag v1
git reset HEAD~1
git reset --soft HEAD~1
git restore --staged .
git rm --cached a.ts
git checkout -- src/a.ts
git restore src/a.ts
git mv src/a.ts src/b.ts
git worktree list && npm test
git apply --check x.patch
git format-patch --stdout HEAD~1
git bundle create x.bundle HEAD
git remote add a b
git config --get a.b && npm test
git bisect log && npm test
git clone x y
npm test
make
rm -rf dist
sed -i s/a/b/ src/a.ts
cp -r src dist
tar czf a.tgz src
touch src/a.ts
`);

/** A device is replaced or changed, or git writes to a protected place: always asked about. */
export const devicePlaceCases: readonly string[] = lines(`
rm -f /dev/null
rm /dev/stdout
rm -rf /dev/tty
mv x /dev/null
mv /dev/null x
mv -t /dev x
mv -f x /dev/full
ln -sf x /dev/null
ln -sf x /dev/stderr
ln -f x /dev/fd/1
install x /dev/null
install -m 600 x /dev/null
chmod 600 /dev/null
chmod a+w /dev/tty
chown me /dev/null
chown -h me:me /dev/stdout
chgrp x /dev/null
chattr +i /dev/null
setfacl -m u:x:r /dev/null
git bundle create /dev/null HEAD
git bundle create /dev/stdout HEAD
git mv x /dev/null
cp --remove-destination x /dev/null
cp -a --remove-destination x /dev/null
mknod /dev/null c 1 3
mkfifo /dev/fd/3
sed -i s/a/b/ /dev/null
perl -i -pe 1 /dev/null
ruby -i -pe 1 /dev/null
rsync x /dev/null
zip /dev/null x
unlink /dev/null
shred -u /dev/null
truncate -s 1G /dev/sda
rmdir /dev/null
patch /dev/null x.patch
yq -i .a=1 /dev/null
gzip -f /dev/null
sudo rm /dev/null
bash -c 'rm -f /dev/null'
find /dev/null -delete
find /dev -name null -exec rm {} +
echo /dev/null | xargs rm -f
rm -f /dev/../dev/null
rm -f //dev/null
cd /dev && rm -f null
rm -f /dev/{null,zero}
rm -f /dev/nul[l]
rm -f /dev/nu*
F=/dev/null; rm -f $F
dd if=x of=/dev/sda
echo x > /dev/sda
cp x /dev/sda
tee /dev/mem
git bundle create ~/.bashrc HEAD
git archive -o ~/.bashrc HEAD
git diff --output=$HOME/.profile
git format-patch -o ~/.ssh HEAD~1
git bundle create .git/hooks/pre-commit HEAD
git init ~/.ssh
git clone x ~/.config/autostart
git worktree add ~/.ssh/x
git submodule add x .husky
git fast-export --export-marks=$HOME/.bashrc HEAD
git log -1 --format=x --output ~/.zshrc
git stash show --output=.envrc
git diff-tree -p --output=.envrc HEAD
git diff --no-index --output=.envrc a b
git shortlog --output=.envrc HEAD
rm -f /dev/zero
`);

/** A device is only opened, or the place is an ordinary one. */
export const openedDeviceCases: readonly string[] = lines(`
ls > /dev/null
ls >/dev/null 2>&1
ls 2> /dev/null && npm test
npm test &> /dev/null
npm test > /dev/full
curl -s -o /dev/null https://example.com
curl -so /dev/null -w '%{http_code}' https://example.com
wget -qO /dev/null https://example.com
wget -q -O - https://example.com > /dev/null
tee /dev/null < x
npm test | tee /dev/stderr
npm test | tee /dev/tty
gcc -o /dev/null x.c
gcc -x c -c -o /dev/null - < x
go build -o /dev/null ./...
cp x /dev/null
cp /dev/null x
cat /dev/null > x
ln -sf /dev/null x
install -m 644 /dev/null x
diff /dev/null x && true
git diff --no-index /dev/null x && true
git config --get x > /dev/null
tar cf /dev/null .
sort -o /dev/null x
dd if=/dev/zero bs=1 count=1 > x
awk '{print > "/dev/stderr"}' x
sed -n 'w /dev/stdout' x
sed -i s/a/b/ x < /dev/null
ssh-keygen -l -f x < /dev/null
docker run x > /dev/null
touch x 2>/dev/null
rm -f x 2>/dev/null
rm -f x > /dev/null 2>&1
mv a b 2>/dev/null || true
chmod +x a 2> /dev/null
python3 x.py > /dev/null
git bundle create repo.bundle HEAD
git archive -o x.tar HEAD
git format-patch -o patches HEAD~1
git init newrepo
git worktree add ../x
`);
