import { describe, expect, test } from 'vitest'
import { readMediaS3 } from './media-s3.ts'

const all = {
  MEDIA_S3_ENDPOINT: 'https://s3.example.com/',
  MEDIA_S3_BUCKET: 'images',
  MEDIA_S3_REGION: 'eu-central-1',
  MEDIA_S3_ACCESS_KEY_ID: 'AKID',
  MEDIA_S3_SECRET_ACCESS_KEY: 'hidden/+key=',
}

describe('storage that speaks S3', () => {
  test('is none unless it is set', () => {
    expect(readMediaS3({})).toBeUndefined()
    expect(readMediaS3(Object.fromEntries(Object.keys(all).map((name) => [name, ' '])))).toBeUndefined()
  })

  test('is read from five settings', () => {
    expect(readMediaS3(all)).toEqual({
      endpoint: 'https://s3.example.com',
      bucket: 'images',
      region: 'eu-central-1',
      accessKeyId: 'AKID',
      secretAccessKey: 'hidden/+key=',
    })
  })

  test.each(Object.keys(all))('asks for %s when the others are set', (name) => {
    expect(() => readMediaS3({ ...all, [name]: '' })).toThrow(expect.objectContaining({ setting: name }))
    expect(() => readMediaS3({ ...all, [name]: '' })).toThrow(/^MEDIA_S3_\w+ has to be set with MEDIA_S3_\w+\.$/)
  })

  test.each([
    ['MEDIA_S3_ENDPOINT', 's3.example.com'],
    ['MEDIA_S3_ENDPOINT', 'ftp://s3.example.com'],
    ['MEDIA_S3_ENDPOINT', 'https://user:hidden@s3.example.com'],
    ['MEDIA_S3_ENDPOINT', 'https://s3.example.com/?hidden=1'],
    ['MEDIA_S3_BUCKET', 'Images'],
    ['MEDIA_S3_BUCKET', '../images'],
    ['MEDIA_S3_REGION', 'eu central'],
    ['MEDIA_S3_ACCESS_KEY_ID', 'hidden key'],
    ['MEDIA_S3_SECRET_ACCESS_KEY', 'hidden key'],
  ])('refuses %s=%s in a sentence that repeats no secret', (name, value) => {
    const read = () => readMediaS3({ ...all, [name]: value })
    expect(read).toThrow(new RegExp(`^${name} [^\\n]+\\.$`))
    expect(read).not.toThrow(/hidden/)
  })
})
