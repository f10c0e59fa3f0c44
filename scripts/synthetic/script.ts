import { CAPABILITY_IDS, type CapabilityId } from '#contract/behavior-names.ts'
import { Random, Zipf } from './random.ts'
import { makeVocabulary } from './vocabulary.ts'

export interface SyntheticScript {
  id: number
  authorId: number
  title: string
  description: string
  tagIds: number[]
  content: string
  createdAt: Date
  views: number
  downloads: number
  /** Number of ratings with one to five stars. */
  stars: number[]
  flags: Record<Flag, boolean>
  /** What the card of the code would have found. */
  behavior: { compiles: boolean; capabilities: CapabilityId[]; hosts: string[] }
}

type Flag =
  | 'key'
  | 'universal'
  | 'client'
  | 'free'
  | 'featured'
  | 'verified'
  | 'public'
  | 'mobile'
  | 'working'
  | 'showcased'

const SHARES: Record<Flag, number> = {
  key: 0.25,
  universal: 0.6,
  client: 0.7,
  free: 0.85,
  featured: 0.01,
  verified: 0.08,
  public: 0.98,
  mobile: 0.7,
  working: 0.9,
  showcased: 0.002,
}
const CAPABILITY_SHARES: Record<CapabilityId, number> = {
  'net.get': 0.35,
  'net.send': 0.12,
  'net.webhook': 0.05,
  'net.exfiltration': 0.02,
  'net.socket': 0.005,
  'code.remote': 0.3,
  'code.dynamic': 0.1,
  'code.asset': 0.03,
  'code.persist': 0.03,
  'fs.read': 0.1,
  'fs.write': 0.12,
  'fs.delete': 0.02,
  'user.clipboard': 0.15,
  'user.identity': 0.05,
  'user.input': 0.08,
  'user.purchase': 0.01,
  'user.key': 0.12,
  'game.remote': 0.45,
  'game.teleport': 0.1,
  'game.chat': 0.05,
  'game.kick': 0.05,
  'client.hook': 0.15,
  'client.inspect': 0.12,
  'needs.executor': 0.3,
  'shape.obfuscated': 0.12,
  'shape.minified': 0.08,
  'shape.secret': 0.01,
}
const COMPILING_SHARE = 0.95
/** Scripts contact the first hosts most often. */
const HOSTS = [
  'raw.githubusercontent.com',
  'github.com',
  'pastebin.com',
  'discord.com',
  'cdn.discordapp.com',
  'rscripts.net',
]
const RARE_HOSTS = 2000
const YEARS_MS = 3 * 365 * 86_400_000

export class SyntheticCatalogue {
  readonly tags: string[]
  readonly authors: number
  readonly #words: string[]
  readonly #wordRanks: Zipf
  readonly #tagRanks: Zipf
  readonly #authorRanks: Zipf
  readonly #hosts: string[]
  readonly #hostRanks: Zipf
  readonly #seed: number
  readonly #now: number

  constructor(scripts: number, seed: number, now: number) {
    this.authors = Math.max(10, Math.ceil(scripts / 20))
    this.tags = makeVocabulary(Math.min(2000, Math.max(40, Math.ceil(scripts / 200))), seed + 1)
    this.#words = makeVocabulary(Math.min(50_000, Math.max(500, scripts)), seed + 2)
    this.#wordRanks = new Zipf(this.#words.length)
    this.#tagRanks = new Zipf(this.tags.length)
    this.#authorRanks = new Zipf(this.authors, 0.8)
    const rareHosts = makeVocabulary(RARE_HOSTS, seed + 3).map((word, i) => `${i % 2 ? 'api.' : ''}${word}.example`)
    this.#hosts = [...HOSTS, ...rareHosts]
    this.#hostRanks = new Zipf(this.#hosts.length)
    this.#seed = seed
    this.#now = now
  }

  #text(random: Random, words: number): string {
    const text = Array.from({ length: words }, () => this.#words[this.#wordRanks.pick(random)])
    return text.join(' ')
  }

  /** The script with this id; depends on the seed only. */
  script(id: number): SyntheticScript {
    const random = new Random(Math.imul(id, 0x9e3779b1) ^ this.#seed)
    const popularity = random.next() ** 12
    const views = Math.floor(popularity * 200_000 + random.next() * 40)
    const ratings = Math.floor(views * 0.01 * random.next())
    const quality = 0.5 + random.next() * 0.5
    const stars = [0, 0, 0, 0, 0]
    for (let rating = 0; rating < ratings; rating++) {
      const star = Math.min(4, Math.floor((quality + random.next() * 0.5) * 3.7))
      stars[star] = (stars[star] ?? 0) + 1
    }
    const flags = Object.fromEntries(
      Object.entries(SHARES).map(([flag, share]) => [flag, random.chance(share)]),
    ) as Record<Flag, boolean>
    const title = this.#text(random, random.between(2, 5))
    return {
      id,
      authorId: this.#authorRanks.pick(random) + 1,
      title: title.charAt(0).toUpperCase() + title.slice(1),
      description: `${this.#text(random, random.between(8, 40))}.`,
      tagIds: [...new Set(Array.from({ length: random.between(1, 6) }, () => this.#tagRanks.pick(random) + 1))],
      content: `-- ${title}\nreturn ${id}\n`,
      createdAt: new Date(this.#now - Math.floor(random.next() * YEARS_MS)),
      views,
      downloads: Math.floor(views * random.next() * 0.5),
      stars,
      flags,
      behavior: this.#behavior(random),
    }
  }

  #behavior(random: Random): SyntheticScript['behavior'] {
    const capabilities = CAPABILITY_IDS.filter((id) => random.chance(CAPABILITY_SHARES[id]))
    const count = capabilities.some((id) => id.startsWith('net.')) ? random.between(1, 4) : 0
    const hosts = Array.from({ length: count }, () => this.#hosts[this.#hostRanks.pick(random)] ?? '')
    return { compiles: random.chance(COMPILING_SHARE), capabilities, hosts: [...new Set(hosts)] }
  }
}
