// What is known about hosts on the internet. Hosts are lower case, without port and user.

const URL_START = /\b(?:https?|wss?):\/\/([^\s"'`<>\\^{}|)\]]{1,2000})/gi
const HOST = /^(?:[^/@?#]*@)?(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::\d+)?(?:[/?#]|$)/i

/** The hosts of all URLs in a text. A host that is not fully known has a `{}` in the text and is left out. */
export function findHosts(text: string): string[] {
  if (!text.includes('://')) return []
  return [...text.matchAll(URL_START)].flatMap(([, rest = ''], index, all) => {
    const isCut = index === all.length - 1 && isEndless(text, rest)
    const host = HOST.exec(rest)?.[1]?.toLowerCase().replace(/\.$/, '')
    return host === undefined || isCut || !isWhole(host) ? [] : [host]
  })
}

const isWhole = (host: string): boolean => host.includes('.') || host === 'localhost' || host.startsWith('[')

/** Whether an unknown part follows the host directly and may continue it: `https://cdn.{}`. */
const isEndless = (text: string, rest: string): boolean => !/[/?#]/.test(rest) && text.includes(`${rest}{}`)

const WEBHOOKS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^(?:[a-z]+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\//i, 'a Discord webhook'],
  [/^(?:hooks\.hyra\.io|webhook\.lewisakura\.moe|webhook\.newstargeted\.com)\/api\/webhooks\//i, 'a Discord webhook'],
  [/^[^/]+\/api\/(?:v\d+\/)?webhooks\/\d{15,}\//i, 'a Discord webhook'],
  [/^api\.telegram\.org\/bot/i, 'a Telegram bot'],
  [/^(?:media\.)?guilded\.(?:gg|com)\/webhooks\//i, 'a Guilded webhook'],
  [/^hooks\.slack\.com\/(?:services|workflows)\//i, 'a Slack webhook'],
  [
    /^(?:[^/]+\.)?(?:webhook\.site|requestbin\.(?:com|net)|pipedream\.net|hookdeck\.com|hookb\.in|beeceptor\.com|requestcatcher\.com|ngrok(?:-free)?\.(?:io|app|dev)|interact\.sh|oast\.(?:fun|me|pro|live|site|online))(?:[/?:]|$)/i,
    'a collector',
  ],
  [/^(?:[^/]+\.)?webhook\.office\.com\//i, 'a Teams webhook'],
]

/** What kind of webhook or collector a URL is, or undefined. */
export function describeWebhook(url: string): string | undefined {
  const rest = /^\s*(?:https?|wss?):\/\/(?:[^/@?#]*@)?(.*)$/is.exec(url)?.[1]
  return rest === undefined ? undefined : WEBHOOKS.find(([pattern]) => pattern.test(rest))?.[1]
}

export const IP_SERVICES =
  /^(?:[^/]+\.)?(?:ipify\.org|ipinfo\.io|ip-api\.com|icanhazip\.com|ifconfig\.(?:me|co)|ipapi\.co|ident\.me|checkip\.amazonaws\.com|myip\.com|ip\.sb|ipwho\.is|ipwhois\.app|geojs\.io|freegeoip\.app|wtfismyip\.com|l2\.io|seeip\.org|extreme-ip-lookup\.com|db-ip\.com|myexternalip\.com|my-ip\.io|ipecho\.net|ifconfig\.io|ipgeolocation\.io|ipregistry\.co|ipstack\.com|ipdata\.co|geoplugin\.net|iplocate\.io|ipapi\.com|ipapi\.is|tnedi\.me|eth0\.me|curlmyip\.net)$/

export const isIpService = (host: string): boolean => IP_SERVICES.test(host)

const KEY_LINKS =
  /^(?:[^/]+\.)?(?:linkvertise\.com|link-to\.net|link-center\.net|link-target\.net|link-hub\.net|direct-link\.net|up-to-down\.net|lootlabs\.gg|loot-?links?\.(?:co|org|com)|lootdest\.(?:org|com|info)|work\.ink|workink\.(?:net|co)|rekonise\.com|sub2unlock\.(?:com|net|io)|sub2get\.com|shrtfly\.com|ouo\.io|adfoc\.us|boost\.ink|mboost\.me|letsboost\.net|booo?st\.(?:ink|to)|social-unlock\.com|unlocknow\.net)$/
const KEY_SERVICES =
  /^(?:[^/]+\.)?(?:platoboost\.(?:com|net|app)|platorelay\.com|gateway\.platoboost\.com|pandadevelopment\.net|pandauth\.com|keyauth\.(?:win|cc|com)|luarmor\.net|keyrblx\.com|junkie-development\.de|jnkie\.com|keyguardian\.org|key-guardian\.xyz|auth\.platorelay\.com|whitelist\.lol|zenkey\.fun)$/

/** Whether visitors of a host get a key for viewing advertisements. */
export const isKeyLink = (host: string): boolean => KEY_LINKS.test(host)
export const isKeyService = (host: string): boolean => KEY_SERVICES.test(host)
