const SECRETS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/(\/api\/(?:v\d+\/)?webhooks\/\d{15,22}\/)([\w-]{50,})/g, 'a Discord webhook with its token'],
  [/(api\.telegram\.org\/bot\d{6,12}:)([\w-]{30,})/g, 'a Telegram bot token'],
  [/()\b(\d{8,10}:AA[\w-]{32,34})\b/g, 'a Telegram bot token'],
  [/()\b([MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40})\b/g, 'a Discord bot token'],
  [/(hooks\.slack\.com\/services\/)(T\w+\/B\w+\/\w{20,})/g, 'a Slack webhook with its token'],
  [/((?:media\.)?guilded\.(?:gg|com)\/webhooks\/[\w-]{30,}\/)([\w-]{40,})/g, 'a Guilded webhook with its token'],
  [/()\b(gh[pousr]_\w{36,}|github_pat_\w{50,})\b/g, 'a GitHub token'],
  [/()\b(sk_live_\w{20,}|rk_live_\w{20,})\b/g, 'a Stripe key'],
  [/()\b(sk-(?:proj-|ant-)?[\w-]{32,})\b/g, 'an API key'],
  [/()\b(AIza[\w-]{35})\b/g, 'a Google API key'],
  [/()\b(AKIA[0-9A-Z]{16})\b/g, 'an AWS key'],
  [/(_\|WARNING:-DO-NOT-SHARE-THIS[^|]*\|_)(\w{100,})/g, 'a Roblox cookie'],
  [/()(-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----)/g, 'a private key'],
]

/** Every secret has a long word, or is a private key. */
const LONG_WORD = /[\w-]{16}|PRIVATE KEY/

export interface Secret {
  /** With its article: `a Discord webhook with its token`. */
  name: string
  /** The part that must stay secret. */
  value: string
}

export const findSecrets = (text: string): Secret[] =>
  !LONG_WORD.test(text)
    ? []
    : SECRETS.flatMap(([pattern, name]) => [...text.matchAll(pattern)].map(([, , value = '']) => ({ name, value })))

/** Replaces the secret part of each secret by `…`. */
export function maskSecrets(text: string): string {
  return !LONG_WORD.test(text) ? text : SECRETS.reduce((masked, [pattern]) => masked.replace(pattern, '$1…'), text)
}
