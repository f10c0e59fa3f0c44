import sharp from 'sharp'
import { expect, test } from 'vitest'
import { demoScripts } from './catalogue.ts'
import { drawAvatar, drawBanner, drawCover } from './cover.ts'
import { chooseMotif } from '#demo/cover/motifs.ts'
import { demoMembers } from './members.ts'
import { demoScreenshots, drawScreenshot } from './screenshots.ts'

async function sizeOf(svg: string): Promise<[number, number]> {
  const { width, height } = await sharp(Buffer.from(svg)).metadata()
  return [width, height]
}

test('the same seed draws the same cover, another title another one', () => {
  const seed = { title: 'Signal', tags: ['utility', 'events'] }
  expect(drawCover(seed)).toBe(drawCover({ ...seed }))
  expect(drawCover({ ...seed, title: 'Signal 2' })).not.toBe(drawCover(seed))
  expect(drawCover({ ...seed, palette: 'rose' })).not.toBe(drawCover({ ...seed, palette: 'teal' }))
})

test('no two scripts share a cover or its motif and colors, no two members a picture', () => {
  expect(new Set(demoScripts.map(drawCover)).size).toBe(demoScripts.length)
  const looks = demoScripts.map(({ title, tags, palette }) => `${chooseMotif(title, tags).name} in ${palette}`)
  expect(looks.filter((look, i) => looks.indexOf(look) < i)).toEqual([])
  expect(new Set(demoMembers.map((member) => drawAvatar(member.key))).size).toBe(demoMembers.length)
})

test('the catalogue shows at least ten different motifs', () => {
  expect(new Set(demoScripts.map((script) => chooseMotif(script.title, script.tags))).size).toBeGreaterThanOrEqual(10)
})

test('draws any title, an empty one and one with markup included', async () => {
  for (const title of ['', '<script>&"', 'نور', '🍎'.repeat(50)]) {
    expect(await sizeOf(drawCover({ title, tags: [] }))).toEqual([1280, 720])
  }
})

test('the pictures have the sizes that the pages expect', async () => {
  expect(await sizeOf(drawAvatar('ada'))).toEqual([256, 256])
  expect(await sizeOf(drawBanner('ada'))).toEqual([1500, 500])
})

test('the drawings hold finite numbers only and no text', () => {
  for (const svg of [...demoScripts.map(drawCover), drawAvatar('ada'), drawBanner('ada'), drawBanner('bram')]) {
    expect(svg).not.toMatch(/NaN|Infinity|undefined|<text/)
  }
})

test('screenshots belong to demo scripts, differ and have a description within the limit', async () => {
  const files = new Map(demoScripts.map((script) => [script.file, script]))
  const drawings = Object.entries(demoScreenshots).flatMap(([file, shots]) => {
    const script = files.get(file)
    if (!script) throw new Error(`There is no ${file}.`)
    return shots.map((shot) => drawScreenshot(script, shot))
  })
  for (const svg of drawings) {
    expect(svg).not.toMatch(/NaN|Infinity|undefined|<text/)
    expect(await sizeOf(svg)).toEqual([1280, 720])
  }
  expect(new Set(drawings).size).toBe(drawings.length)
  const alts = Object.values(demoScreenshots).flatMap((shots) => shots.map(({ alt }) => alt))
  expect(alts.filter((alt) => alt === '' || alt.length > 140)).toEqual([])
})
