import { type FamilyCases, lines } from "./family-cases.ts";

export const fileChangesCases: FamilyCases = {
  harmful: {
    "programs that are not read": lines(`
rm x
rm -rf /
mv a b
cp a b
touch a
mkdir a
rmdir a
ln -s a b
chmod +x a
chown a b
dd if=a of=b
tee a
echo x | tee a
truncate -s 0 a
install a b
shred a
unlink a
patch -p1
mkfifo a
`),
  },
};
