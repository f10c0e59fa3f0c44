import { describe, expect, test } from 'vitest'
import { ASKED_CAPABILITIES, CAPABILITY_IDS, type CapabilityId } from './behavior-names.ts'
import { WARNING_IDS, warningOf, warningTitle } from './behavior-warning.ts'

interface Code {
  compiles?: boolean | null
  declared?: CapabilityId[] | null
}

const warn = (capabilities: CapabilityId[], { compiles = true, declared = [] }: Code = {}) =>
  warningOf({ capabilities, compiles, declared })

describe('the warning about a script', () => {
  test('is missing if nothing was found that a list warns of', () => {
    expect(warn([])).toBeNull()
    expect(warn(['net.get', 'net.send', 'fs.write', 'user.key', 'shape.minified'])).toBeNull()
    expect(warn([], { compiles: null, declared: null })).toBeNull()
  })

  test('is the most important finding, in any order', () => {
    expect(warn(CAPABILITY_IDS)).toEqual({ id: 'net.exfiltration', is_declared: false })
    expect(warn(['shape.obfuscated', 'code.remote'])).toEqual({ id: 'code.remote', is_declared: false })
    expect(warn(['shape.obfuscated', 'net.webhook'])).toEqual({ id: 'net.webhook', is_declared: false })
  })

  test('is what the author did not declare, before what is more important and declared', () => {
    expect(warn(['net.exfiltration', 'shape.obfuscated'], { declared: ['net.exfiltration'] })).toEqual({
      id: 'shape.obfuscated',
      is_declared: false,
    })
  })

  test('counts a missing declaration as an empty one', () => {
    expect(warn(['code.remote'], { declared: null })).toEqual({ id: 'code.remote', is_declared: false })
  })

  test('is the error of the compiler only if everything is declared', () => {
    const error = { id: 'compile_error', is_declared: false }
    expect(warn([], { compiles: false })).toEqual(error)
    expect(warn(['code.remote'], { compiles: false, declared: ['code.remote'] })).toEqual(error)
    expect(warn(['code.remote'], { compiles: false })).toEqual({ id: 'code.remote', is_declared: false })
  })

  test('says that a finding is declared', () => {
    expect(warn(['code.remote', 'shape.obfuscated'], { declared: ['shape.obfuscated', 'code.remote'] })).toEqual({
      id: 'code.remote',
      is_declared: true,
    })
  })

  test('has a short title, and forms ask about its finding', () => {
    const [error, ...found] = WARNING_IDS.toReversed()
    expect(error).toBe('compile_error')
    expect(ASKED_CAPABILITIES).toEqual(expect.arrayContaining(found))
    for (const id of WARNING_IDS) expect(warningTitle(id)).toMatch(/^[A-Z].{5,28}$/)
  })
})
