import { MAX_CODE_BYTES } from '#contract/limits.ts'

export const CODE_FILES = '.lua,.luau,.txt'

/** The text of a file with code, or a sentence on why it is not taken. */
export async function readCodeFile(file: File): Promise<{ code: string } | { refusal: string }> {
  if (!/\.(lua|luau|txt)$/i.test(file.name)) return { refusal: 'Please choose a .lua, .luau or .txt file.' }
  if (file.size > MAX_CODE_BYTES) return { refusal: 'The file is larger than 1 MiB.' }
  try {
    // Fatal: a file that is not text would turn into rubbish without a word.
    const code = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return { code: code.replaceAll(/\r\n?/g, '\n') }
  } catch {
    return { refusal: 'The file is not text in UTF-8.' }
  }
}
