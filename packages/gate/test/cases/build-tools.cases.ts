import { type FamilyCases, lines } from "./family-cases.ts";

export const buildToolsCases: FamilyCases = {
  everyday: lines(`
npm --version 2>/dev/null
go version
cargo --version
rustc --version
java -version 2>&1
gcc --version | head -1
docker --version
make --version
cargo --version && rustc --version
java -version 2>&1 | head -1
javac -version
clang --version
make --version | head -1
cmake --version
pip --version
uv --version
poetry --version
yarn --version
gh --version
mvn -v
gradle -v
pytest --version
ruff --version
`),
  harmful: {
    "programs that are not read": lines(`
npm install
npm ls
pip install x
pip list
apt list
brew list
tsc
pytest
`),
    "other traps": lines(`
docker rm x
docker exec x ls
kubectl delete pod x
kubectl get pods
tsc --noEmit
`),
  },
};
