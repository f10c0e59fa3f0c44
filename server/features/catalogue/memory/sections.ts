import { Slices } from './slices.ts'

export interface Section {
  name: string
  bytes: Uint8Array
}

/**
 * Room for what is read. It is memory that threads may share, which the engine does not count: a thread that gets hundreds
 * of megabytes in the usual way stops to look for garbage again and again.
 */
export const sharedBytes = (length: number) => new Uint8Array(new SharedArrayBuffer(length))

/** The index's arrays under their names, copied in short slices or as they are. */
export class SectionWriter {
  readonly sections: Section[] = []
  readonly #slices = new Slices()
  readonly #takes: 'copies' | 'arrays'

  constructor(takes: 'copies' | 'arrays') {
    this.#takes = takes
  }

  async put(name: string, array: Uint8Array | Uint32Array | Int32Array | Float64Array): Promise<void> {
    const { buffer, byteOffset, byteLength } = this.#takes === 'copies' ? array.slice() : array
    this.sections.push({ name, bytes: new Uint8Array(buffer, byteOffset, byteLength) })
    if (this.#slices.isDue) await this.#slices.pause()
  }

  async putAll(name: string, pages: readonly (Uint8Array | Uint32Array)[]): Promise<void> {
    for (const page of pages) await this.put(name, page)
  }

  async putTexts(name: string, texts: readonly string[]): Promise<void> {
    for (let at = 0; at === 0 || at < texts.length; at += TEXTS) {
      await this.put(name, new TextEncoder().encode(JSON.stringify(texts.slice(at, at + TEXTS))))
    }
  }
}

const TEXTS = 4000

/** An index's arrays as they were read or handed over: nothing is copied again. */
export class SectionReader {
  readonly #sections = new Map<string, Uint8Array[]>()
  readonly slices = new Slices()

  constructor(sections: readonly Section[]) {
    for (const { name, bytes } of sections) {
      const known = this.#sections.get(name)
      if (known) known.push(bytes)
      else this.#sections.set(name, [bytes])
    }
  }

  all(name: string): readonly Uint8Array[] {
    return this.#sections.get(name) ?? []
  }

  bytes(name: string): Uint8Array {
    const [bytes] = this.all(name)
    if (!bytes) throw new Error(`it has no ${name}`)
    return bytes
  }

  uint32(name: string): Uint32Array {
    return asUint32(this.bytes(name))
  }

  int32(name: string): Int32Array {
    const { buffer, byteOffset, byteLength } = this.bytes(name)
    return new Int32Array(buffer, byteOffset, byteLength / 4)
  }

  float64(name: string): Float64Array {
    const { buffer, byteOffset, byteLength } = this.bytes(name)
    return new Float64Array(buffer, byteOffset, byteLength / 8)
  }

  async texts(name: string): Promise<string[]> {
    const texts: string[] = []
    for (const bytes of this.all(name)) {
      texts.push(...(JSON.parse(new TextDecoder().decode(bytes)) as string[]))
      if (this.slices.isDue) await this.slices.pause()
    }
    return texts
  }
}

export function asUint32({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4)
}
