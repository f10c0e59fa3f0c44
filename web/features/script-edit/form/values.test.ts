import { describe, expect, test } from 'vitest'
import { changeBody, changeValues, describeFolded, EMPTY_VALUES, newScriptBody, type ScriptValues } from './values.ts'

const base: ScriptValues = { ...EMPTY_VALUES, title: 'T', description: 'D', script_content: 'print(1)' }

const upload = (image: Blob) => Promise.resolve(`/media/${image.size}.webp`)
const newBody = (values: ScriptValues) => newScriptBody(values, upload)
const editBody = (before: ScriptValues, after: ScriptValues) => changeBody(before, after, upload)

describe('request bodies', () => {
  test('include the game and the key link only when they apply', async () => {
    const plain = await newBody(base)
    expect(plain).not.toHaveProperty('game_id')
    expect(plain).not.toHaveProperty('key_system_url')
    expect(plain).not.toHaveProperty('image')
    const full = await newBody({
      ...base,
      is_universal: false,
      game_id: ' 7 ',
      has_key_system: true,
      key_system_url: 'https://example.com',
    })
    expect(full).toMatchObject({ game_id: '7', key_system_url: 'https://example.com' })
  })

  test('include the declaration of an author who was asked', async () => {
    expect(await newBody(base)).not.toHaveProperty('declared_capabilities')
    const declared = { ...base, declared_capabilities: ['net.get'], declared_hosts: 'A.example, b.example a.example' }
    expect(await newBody(declared)).toMatchObject({
      declared_capabilities: ['net.get'],
      declared_hosts: ['a.example', 'b.example'],
    })
    expect(await editBody(declared, { ...declared, declared_capabilities: [] })).toEqual({
      declared_capabilities: [],
      declared_hosts: ['a.example', 'b.example'],
    })
    expect(await editBody(declared, { ...declared, script_content: 'print(2)' })).toMatchObject({
      declared_capabilities: ['net.get'],
    })
  })

  test('include only changed fields for an edit', async () => {
    expect(await editBody(base, { ...base, title: 'New', tags: ['a'] })).toEqual({ title: 'New', tags: ['a'] })
    expect(await editBody({ ...base, image: '/media/x.webp' }, base)).toEqual({ image: '' })
  })

  test('name a new image by the URL of its upload', async () => {
    const image = new Blob(['12345'])
    expect(await newBody({ ...base, image })).toMatchObject({ image: '/media/5.webp' })
    expect(await editBody(base, { ...base, image })).toEqual({ image: '/media/5.webp' })
  })

  test('include screenshots if there are any, and all of them if one has changed', async () => {
    const screenshots = [
      { image: '/media/a.webp', alt: 'Menu' },
      { image: new Blob(['123']), alt: ' Shop ' },
    ]
    const uploaded = [
      { image: '/media/a.webp', alt: 'Menu' },
      { image: '/media/3.webp', alt: 'Shop' },
    ]
    expect(await newBody(base)).not.toHaveProperty('screenshots')
    expect(await newBody({ ...base, screenshots })).toMatchObject({ screenshots: uploaded })
    const before = { ...base, screenshots }
    expect(await editBody(before, { ...before, screenshots: screenshots.map((each) => ({ ...each })) })).toEqual({})
    expect(await editBody(before, { ...before, screenshots: [] })).toEqual({ screenshots: [] })
    expect(await editBody(base, before)).toEqual({ screenshots: uploaded })
    const [menu, shop] = screenshots
    if (!menu || !shop) throw new Error('There are two.')
    expect(await editBody(before, { ...before, screenshots: [{ ...menu, alt: 'Main menu' }, shop] })).toMatchObject({
      screenshots: [{ alt: 'Main menu' }, { alt: 'Shop' }],
    })
  })

  test('include the switch that a changed field belongs to', async () => {
    const specific = { ...base, is_universal: false, game_id: '7' }
    expect(await editBody(specific, { ...specific, game_id: '8' })).toEqual({ is_universal: false, game_id: '8' })
    expect(await editBody(specific, changeValues(specific, { is_universal: true }))).toEqual({ is_universal: true })
  })
})

test('changeValues clears the fields of a switch that is turned off', () => {
  const values = {
    ...base,
    is_universal: false,
    game_id: '7',
    has_key_system: true,
    key_system_url: 'https://x.example',
  }
  expect(changeValues(values, { is_universal: true, has_key_system: false })).toMatchObject({
    game_id: '',
    key_system_url: '',
  })
})

test('the folded fields state their defaults, and what differs from them', () => {
  expect(describeFolded(EMPTY_VALUES)).toBe('Universal, client-side, free, public')
  const others = {
    ...EMPTY_VALUES,
    is_universal: false,
    is_client_side: false,
    is_free: false,
    is_public: false,
    has_key_system: true,
    is_mobile_compatible: false,
    is_working: false,
    license: 'MIT',
    requirements: 'A RemoteEvent',
    screenshots: [{ image: '/media/a.webp', alt: 'The menu' }],
  }
  expect(describeFolded(others)).toBe(
    'Game-specific, FE, paid, private, needs a key, not for phones, not working, MIT, with requirements, 1 screenshot',
  )
  expect(describeFolded({ ...others, game_id: '77' })).toContain('Game 77, FE')
})
