import { describe, expect, test } from 'vitest'
import { checkScript, type ScriptFields } from './script-fields.ts'

const messages = (input: ScriptFields) =>
  Object.fromEntries(Object.entries(checkScript(input).problems).map(([name, { message }]) => [name, message]))

test('fields that were not sent are undefined and have no problem', () => {
  const { fields, problems } = checkScript({})
  expect(Object.values(fields).every((value) => value === undefined)).toBe(true)
  expect(problems).toEqual({})
})

test('fields are read as they are stored', () => {
  const { fields, problems } = checkScript({
    title: ' Lamp\u200B\tof light ',
    summary: ' ',
    description: 'a\r\nb',
    tags: '["#Fast", "fast", " "]',
    has_key_system: true,
    key_system_url: 'HTTPS://example.com',
    is_universal: false,
    game_id: ' 42 ',
    script_content: '\uFEFFprint(1)',
    declared_capabilities: ['net.get', 'net.get'],
    declared_hosts: ['https://API.example.com:8080/x', 'api.example.com'],
  })
  expect(problems).toEqual({})
  expect(fields).toMatchObject({
    title: 'Lamp of light',
    summary: null,
    description: 'a\nb',
    tags: ['fast'],
    key_system_url: 'https://example.com/',
    game_id: '42',
    script_content: 'print(1)',
    declared_capabilities: ['net.get'],
    declared_hosts: ['api.example.com'],
  })
})

test('a field whose switch is off is not checked', () => {
  const { fields, problems } = checkScript({
    has_key_system: false,
    key_system_url: 'x',
    is_universal: true,
    game_id: 'x',
  })
  expect([fields.key_system_url, fields.game_id, problems]).toEqual([null, null, {}])
})

describe('problems', () => {
  test('are named in the order of the form, a field each', () => {
    const input = { title: '', description: '\0', version: '\u202Ex', script_content: '', changelog: 'x'.repeat(2001) }
    expect(Object.entries(messages(input))).toEqual([
      ['title', 'Title must not be empty.'],
      ['description', 'Line 1, column 1 (U+0000): Description must not contain control characters.'],
      ['version', "Version can't contain text-direction characters."],
      ['script_content', 'Script content must not be empty.'],
      ['changelog', 'Changelog must have at most 2000 characters.'],
    ])
  })

  test.each<[ScriptFields, string]>([
    [{ tags: '{}' }, 'Tags must be a list of names.'],
    [{ tags: Array.from({ length: 11 }, (_, index) => `t${index}`) }, 'A script can have at most 10 tags.'],
    [{ tags: ['a,b'] }, "Tags can't contain commas."],
    [{ tags: ['a\0'] }, "Tags can't contain control characters."],
    [{ game_id: '123456789012345678901' }, 'Game ID must be 1 to 20 digits.'],
    [{ key_system_url: 'javascript:alert(1)' }, 'Key link must be a URL that starts with https:// or http://.'],
    [{ key_system_url: 'https://a@example.com' }, 'Key link must not contain a user name or password.'],
    [{ key_system_url: `https://example.com/${'é'.repeat(1000)}` }, 'Key link must have at most 2048 characters.'],
    [{ declared_capabilities: ['cooking'] }, 'Choose what the script does from the list.'],
    [{ declared_hosts: ['a b'] }, 'Enter each server as a name, such as api.example.com.'],
  ])('%j is rejected: %s', (input, message) => {
    expect(Object.values(messages(input))).toEqual([message])
  })
})
