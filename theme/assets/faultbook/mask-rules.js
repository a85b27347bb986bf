// @ts-check
/**
 * What is masked, by the form in which programs print it. All quantifiers are bounded, or their
 * classes exclude what follows: time is linear.
 *
 * A value that was replaced stands as `\uE000number\uE001` until all rules are done.
 */

/**
 * @typedef {object} Rule
 * @property {string} kind
 * @property {RegExp} find
 * @property {boolean} [group] only the last group is replaced, what precedes it stays
 * @property {(n: number, value: string) => string | null} to null keeps a value
 */

/** A value that was replaced before. */
const DONE = "\uE000\\d{1,7}\uE001";

/** Public hosts that say nothing about the reader. Storage is none: buckets are part of its names. */
const PUBLIC =
  /^(?:(?:[\w-]{1,63}\.){0,3}(?:github\.com|githubusercontent\.com|huggingface\.co|hf\.co|pytorch\.org|nvidia\.com|python\.org|pypi\.org|readthedocs\.io|kernel\.org|docker\.io|gcr\.io|ghcr\.io|nvcr\.io|quay\.io|wandb\.ai|vllm\.ai|ray\.io|nist\.gov|gnu\.org|apache\.org)|(?:[\w-]{1,63}\.){0,3}example\.(?:com|org|net))$/i;

/** What a path keeps: the part inside a public library, which signatures name. */
const PACKAGES =
  "torch\\w*|pytorch_lightning|lightning\\w*|numpy|scipy|pandas|transformers|tokenizers|safetensors|accelerate|deepspeed|datasets|huggingface_hub|peft|trl|vllm|sglang|ray|triton|flash_attn\\w*|xformers|bitsandbytes|megatron\\w*|apex|transformer_engine|jax\\w*|flax|optax|orbax|tensorflow|keras|nvidia|pyarrow|fsspec|s3fs|gcsfs|botocore|aiobotocore|boto3|aiohttp|requests|urllib3|grpc|zmq|uvicorn|fastapi|starlette|mpi4py|horovod|wandb|mlflow|tqdm|yaml|PIL|cv2|sklearn|fire|click|hydra|omegaconf|colossalai|fairscale|fairseq|nemo|dask|pydantic|numba|cupy|google|azure|tornado|multiprocess|dill|webdataset|sentence_transformers|auto_gptq|awq|lmdeploy|composer|streaming";
const LIBRARY = new RegExp(
  `\\/(?:lib\\/python3\\.\\d{1,2}\\/)?(?:site|dist)-packages\\/(?:${PACKAGES})(?:\\/[^\\s"']{0,300}|\\.py)$` +
    "|\\/lib\\/python3\\.\\d{1,2}\\/(?!(?:site|dist)-packages)[^\\s\"']{0,300}$" +
    "|\\/(?:aten\\/src|c10|third_party|torch\\/(?:csrc|nn|distributed|utils|cuda|serialization))(?:\\/[^\\s\"']{0,300}|\\.py)$",
);
/** Places of the system, the same on every machine. */
const SYSTEM =
  /^\/(?:dev|proc|sys|bin|sbin|etc|tmp|usr\/(?:bin|lib|local\/cuda[^/]{0,20})|lib|lib64|run|opt\/(?:conda|nvidia|rocm))(?:\/|$)/;

const SECRET = () => "SECRET";
/** @param {string} kind */
const numbered = (kind) => (/** @type {number} */ n) => `${kind}-${n}`;
const user = numbered("user");
const host = numbered("host");
const EMPTY = /^(?:None|null|nil|true|false|\*+|x+|<[^>]*>|\$[\w{].*|SECRET)$/i;
const NUMBER = /^[\d.,]+$/;

/** @param {number} n @param {string} value */
const secret = (n, value) => (EMPTY.test(value) || NUMBER.test(value) ? null : "SECRET");
/** No machine: what stands there for none, and files and modules of programs. */
const NO_HOST = /^(?:localhost|None|null|true|false|host-\d+)$|^[\d.,]+$|\.(?:py|pyx|cc|cpp|cu|cuh|c|h|hpp|go|rs|js)$|_.*\.|\..*_/i;
/** @param {number} n @param {string} value */
const named = (n, value) => (NO_HOST.test(value) || PUBLIC.test(value) ? null : host(n));
/** Where the place alone does not tell: a word has no digit, hyphen or dot. @param {number} n @param {string} value */
const hostLike = (n, value) => (/[\d.-]/.test(value) ? named(n, value) : null);
/** @param {number} n @param {string} value */
const person = (n, value) => (/^(?:root|None|null|nobody|user-\d+)$/i.test(value) ? null : user(n));

/** Names of what holds a secret. */
const KEYS =
  "pass(?:word|wd|phrase)s?|secrets?|(?:api|access|secret|private|account|signing|encryption|license|subscription|ssh)[_-]?keys?(?:[_-]?id)?|(?:auth|access|refresh|api|hf|hub|bearer|session|id|github|gitlab|slack|wandb|private|deploy|service|security|oauth)[_-]?token|credentials?|client[_-]?secret";
/** The same with a value in double quotes, in single quotes, and without. */
const VALUES = ['\\\\?")([^"\\n]{1,4000}?)(?=\\\\?")', "')([^'\\n]{1,4000})(?=')", ")([^\\s\"',;&\\uE000-\\uE001]{1,4000})"];

/** @type {Rule[]} */
export const RULES = [
  {
    kind: "secret",
    find: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,8000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    to: SECRET,
  },
  // Keys that are known by their beginning.
  {
    kind: "secret",
    find: /(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{8,200}|api_org_[A-Za-z0-9]{16,100}|sk-[\w-]{12,300}|(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,200}|gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_\w{16,255}|glpat-[\w-]{16,100}|(?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{12,32}|xox[abeprs]-[\w-]{10,200}|AIza[\w-]{30,50}|ya29\.[\w-]{16,300}|nvapi-[\w-]{16,200}|dckr_pat_[\w-]{16,100}|pypi-[\w-]{16,300}|npm_[A-Za-z0-9]{16,100}|SG\.[\w-]{16,60}\.[\w-]{16,100}|dapi[0-9a-f]{32}|lsv2_[\w-]{16,100}|r8_[A-Za-z0-9]{16,100}|gsk_[A-Za-z0-9]{16,100}|eyJ[\w-]{8,4000}\.[\w-]{8,4000}(?:\.[\w-]{0,4000})?)/g,
    to: SECRET,
  },
  { kind: "secret", find: /(\b(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\w{1,20}) )([A-Za-z0-9+/=]{16,4000})/g, group: true, to: SECRET },
  { kind: "secret", find: /(\/\/hooks\.[\w.-]{1,60}\/)([^\s"']{4,300})/g, group: true, to: SECRET },
  // Headers: all that follows is the secret.
  { kind: "secret", find: /(\b(?:proxy-)?authorization\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)([^"'\\\n]{1,4000})/gi, group: true, to: SECRET },
  { kind: "secret", find: /(\b(?:set-)?cookie\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)([^"'\\\n]{1,4000})/gi, group: true, to: SECRET },
  { kind: "secret", find: /(\b(?:Bearer|Basic) {1,4})([\w.~+/=-]{8,4000})/gi, group: true, to: (n, value) => (/[\d=.]|[a-z][A-Z]/.test(value) ? "SECRET" : null) },
  // What a name says to be one, and options of commands.
  ...VALUES.map((value) => ({
    kind: "secret",
    find: new RegExp(`((?:${KEYS})\\\\?["']?\\s{0,4}[=:]\\s{0,4}${value}`, "gi"),
    group: true,
    to: secret,
  })),
  ...VALUES.map((value) => ({
    kind: "secret",
    find: new RegExp(`(--?(?:[a-z0-9]{1,20}[-_]){0,4}(?:${KEYS}|token)(?:=|\\s{1,4})${value}`, "gi"),
    group: true,
    to: secret,
  })),
  {
    kind: "secret",
    find: /(\btokens?\\?["']?\s{0,4}[=:]?\s{0,4}\\?["']?)([\w.~+/=-]{8,4000})/gi,
    group: true,
    // Most tokens in these logs are words of a model.
    to: (n, value) => (/\d/.test(value) && /[a-z]/i.test(value) && !/^(?:\d[\d.]*|.*[=:].*)$/.test(value) ? "SECRET" : null),
  },
  { kind: "secret", find: /(:\/\/)([^\s/@:"']{0,200}:[^\s/@"']{1,200})(?=@)/g, group: true, to: SECRET },
  { kind: "user", find: /(:\/\/)([^\s/@:"'\uE000]{1,200})(?=@)/g, group: true, to: (n) => user(n) },
  { kind: "secret", find: /([?&;](?:sig|signature|x-amz-[a-z-]{1,40}|x-goog-[a-z-]{1,40}|key|code|auth|password|sv|se|skoid|sktid)=)([^\s&"';]{1,4000})/gi, group: true, to: SECRET },
  // Long hexadecimal texts are keys (Weights & Biases), or commits, which name a private repository.
  {
    kind: "secret",
    find: /(?<![\w-])(?:[0-9a-f]{32,128}|[0-9A-F]{32,128})(?![\w-])/g,
    to: (n, value) => (/^0+\d{0,3}$/.test(value) ? null : String(n).padStart(value.length, "0")),
  },
  {
    kind: "secret",
    find: /(?<![\w+/.-])[A-Za-z0-9]{32,4000}={0,2}(?![\w+/-])/g,
    to: (n, value) => (/[a-z]/.test(value) && /[A-Z]/.test(value) && (value.match(/\d/g)?.length ?? 0) > 2 ? "SECRET" : null),
  },

  {
    kind: "e-mail",
    find: /(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}\b/g,
    to: (n) => `user-${n}@example.com`,
  },
  // A shell's prompt, ssh, scp: a user at a host.
  { kind: "user", find: /(?<![\w.@-])[A-Za-z_][\w.-]{0,31}(?=@[A-Za-z][\w-]{1,62}(?:[\s:~\])'"]|$))/gm, to: (n) => user(n) },
  { kind: "host", find: /(\uE001@)([A-Za-z][\w-]{1,62})(?=[\s:~\])'"]|$)/gm, group: true, to: named },
  {
    kind: "user",
    find: /((?:\b|_)(?:user(?:[_-]?(?:name|id))?|owner|login|logname|submitter)\\?["']?\s?[=:]\s?\\?["']?|\b(?:for|by|as|of) user ["']?|\b[ug]id=\d{1,10}\()([A-Za-z_][\w.-]{0,31})(?![\w.]*\()/gi,
    group: true,
    to: person,
  },
  { kind: "user", find: /(\bUserId=)([A-Za-z_][\w.-]{0,31})/g, group: true, to: person },
  { kind: "user", find: /(\b[Uu]ser )(["']?[a-z_][\w.-]{1,31}["']?)(?= (?:is|has|does|was|cannot|exceeds|not in|over)\b)/g, group: true, to: person },

  {
    kind: "address",
    // Four numbers after `==` or the word are a version.
    find: /(?<![\w.]|==|[vV]ersion |[cC][uU][dD][aA] |[dD]river |NCCL )(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?!\w|\.\d)/g,
    to: (n, value) =>
      /^(?:127\.|0\.0\.0\.0$|255\.|192\.0\.2\.)/.test(value) ? null : `192.0.2.${((n - 1) % 254) + 1}`,
  },
  {
    kind: "address",
    find: /(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}(?:%\w{1,15})?(?![\w:\uE000])/gi,
    to: (n, value) => {
      if (/^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i.test(value)) return `02:00:00:00:00:${(n % 256).toString(16).padStart(2, "0")}`;
      // A time of day, a PCI address or C++ is none; nor is the machine itself.
      const [address] = value.split("%");
      const isAddress = address.split("::").length === 2 || address.split(":").length === 8;
      return isAddress && /[0-9a-f].*:.*[0-9a-f]|[0-9a-f]{4}/i.test(address) ? `2001:db8::${n.toString(16)}` : null;
    },
  },
  { kind: "address", find: /\bip-\d{1,3}(?:-\d{1,3}){3}\b/g, to: (n) => host(n) },

  {
    kind: "bucket",
    find: /(\b(?:s3[an]?|gc?s|az|abfss?|adl|hdfs|webhdfs|viewfs|wasbs?|hf|oss|cosn?|tos|obs|bos|r2|b2|swift|dbfs|ceph|jfs|nfs|wandb(?:-artifact)?|mlflow-artifacts|models):\/\/)([^\s"',)>\uE000]{1,1000})/g,
    group: true,
    to: (n) => `bucket-${n}`,
  },
  { kind: "path", find: /(\bfile:\/\/)([^\s"',)>\uE000]{1,1000})/g, group: true, to: (n) => `/path-${n}` },
  {
    kind: "host",
    find: new RegExp(`(\\b[a-z][a-z0-9+]{1,12}:\\/\\/(?:${DONE}@)?)([A-Za-z0-9][A-Za-z0-9.-]{0,250})`, "gi"),
    group: true,
    to: (n, value) => (PUBLIC.test(value) || /^(?:localhost|env|[\d.]+)$/.test(value) ? null : host(n)),
  },
  {
    kind: "path",
    find: new RegExp(`(:\\/\\/(?:${DONE}@)?${DONE}(?::\\d{1,5})?)(\\/[^\\s"'<>)\\],;]{1,2000})`, "g"),
    group: true,
    to: (n) => `/path-${n}`,
  },

  {
    kind: "path",
    find: /(?<![\w\\])[A-Za-z]:[\\/]{1,2}(?![\\/])(?:[^\s\\/"':*?<>|][^\\/"':*?<>|\n]{0,100}[\\/]{1,2}){0,40}[^\s\\/"':*?<>|,;)]{0,200}/g,
    to: (n) => `C:\\path-${n}`,
  },
  { kind: "path", find: /(?<![\w\\])\\\\[\w.$-]{2,200}(?:\\{1,2}[^\s\\"':*?<>|]{1,200}){1,40}/g, to: (n) => `\\\\path-${n}` },
  {
    kind: "path",
    find: /(^|[\s"'`=([{<,:;|>@])((?:~[\w.-]{0,31}|\/[A-Za-z0-9_.@+~%-]{1,200})(?:\/[A-Za-z0-9_.@+~{}%-]{1,200}){1,60}\/?)/gm,
    group: true,
    to: (n, value) => {
      if (SYSTEM.test(value) && !LIBRARY.test(value)) return null;
      return `/path-${n}${LIBRARY.exec(value)?.[0] ?? ""}`;
    },
  },

  {
    kind: "host",
    find: /(?<![\w./@-])(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,6}(?:internal|local|lan|corp|intra|intranet|cluster|cloud|edu|com|net|org|gov|ai|io|de|fr|uk|ch|cn|jp)\b(?![(\w.-])/g,
    // A library's module or a file is no host: those end in other words, but for a few.
    to: (n, value) => (PUBLIC.test(value) || /^(?:torch|numpy|tf|os|sys|self|np)\./.test(value) ? null : host(n)),
  },
  // What stands before a line: NCCL, Open MPI, srun, slurmstepd, syslog, pdsh.
  { kind: "host", find: /(^|[\s\]])([A-Za-z][\w.-]{1,63})(?=:\d{1,8}:\d{1,8}(?::\d{1,8})? \[\d)/gm, group: true, to: named },
  { kind: "host", find: /(\[)([A-Za-z][\w.-]{1,63})(?=:\d{3,8}\] )/g, group: true, to: hostLike },
  { kind: "host", find: /(\bsrun: error: )([A-Za-z][\w.-]{1,63})(?=: )/g, group: true, to: hostLike },
  { kind: "host", find: /(\*\*\* (?:JOB|STEP) [\w.+]{1,40} ON )([A-Za-z][\w.-]{1,63})/g, group: true, to: named },
  {
    kind: "host",
    find: /(^(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.,Z+:-]{0,20}) )([A-Za-z][\w.-]{1,63})(?= [\w./-]{1,60}(?:\[\d{1,8}\])?: )/gm,
    group: true,
    to: named,
  },
  {
    kind: "host",
    find: /(^)([a-z][a-z-]{0,40}\d[a-z0-9-]{0,40})(?=: )/gm,
    group: true,
    to: (n, value) => (/^(?:rank|step|epoch|iter|gpu|cuda|worker|layer|block|stage|device|task|shard|expert|head|batch|version|host)[-_]?\d/.test(value) ? null : host(n)),
  },
  {
    kind: "host",
    find: /\b(?:node|gpu|worker|compute|host|dgx|hgx|cn|gn|nid|slurm|rack)[a-z]{0,12}-?[a-z]{0,12}-?\d{1,6}(?:-\d{1,6}){0,3}\b(?=[\s:,;)\]'"|]|$)|\b(?:gpu|node|dgx|hgx)-[a-z]{1,4}\d{1,4}-\d{1,6}\b/gm,
    // `worker-0` of a data loader and `gpu0` are no names of machines.
    to: (n, value) => (/^(?:gpu|worker|host)[-_ ]?\d{1,2}$/.test(value) ? null : host(n)),
  },
  {
    kind: "host",
    find: /(\b(?:[A-Z0-9]{1,20}_){0,5}(?:HOSTNAME|NODENAME|NODELIST|MASTER_ADDR|ADDR|RDZV_ENDPOINT|BatchHost|NodeList)=["']?)([A-Za-z][\w.,[\]-]{1,250})/g,
    group: true,
    to: named,
  },
  {
    kind: "host",
    find: /(\b(?:host(?:name)?|node(?:name|list)?|server|machine|master[_-]?addr|(?:rdzv[_-]?)?endpoint|peer|pod|namespace)\\?["']?\s?[=:]\s?\\?["']?|\b(?:on|to|from|at|with|of) (?:remote )?(?:host|node|machine|server|peer) ["']?|\bpods?[/ ]["']?|\bnamespace ["']?)([A-Za-z][\w.-]{2,250})/gi,
    group: true,
    to: hostLike,
  },
];
