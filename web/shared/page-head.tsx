import { useRootData } from '#web/lib/root-data.ts'

export interface PageHeadProps {
  title: string
  description: string
  /** Path of the page's canonical URL. */
  path: string
  /** Path of the preview image, 1200x630. Default: that of the site. */
  image?: string
  /** False for pages that search engines should not index. */
  isListed?: boolean
  /** Path of the Atom feed of what the page shows. Its JSON form differs in the extension. */
  feed?: string | undefined
  /** Whether other sites can embed what the page shows. */
  isEmbeddable?: boolean
}

export function PageTitle({ title }: { title: string }) {
  const { site } = useRootData()
  return <title>{title === site.name ? title : `${title} · ${site.name}`}</title>
}

/** Title, description, canonical URL and preview tags of a page. */
export function PageHead({
  title,
  description,
  path,
  image,
  isListed = true,
  feed,
  isEmbeddable = false,
}: PageHeadProps) {
  const { site } = useRootData()
  const url = `${site.public_url}${path}`
  const imageUrl = `${site.public_url}${image ?? site.look.preview_image}`
  return (
    <>
      <PageTitle title={title} />
      <meta name="description" content={description} />
      {isListed ? <link rel="canonical" href={url} /> : <meta name="robots" content="noindex" />}
      <link rel="search" type="application/opensearchdescription+xml" title={site.name} href="/opensearch.xml" />
      {feed && <link rel="alternate" type="application/atom+xml" title={title} href={feed} />}
      {feed && (
        <link rel="alternate" type="application/feed+json" title={title} href={feed.replace('.atom', '.json')} />
      )}
      {isEmbeddable && (
        <link rel="alternate" type="application/json+oembed" title={title} href={oEmbedUrl(url, 'json')} />
      )}
      {isEmbeddable && <link rel="alternate" type="text/xml+oembed" title={title} href={oEmbedUrl(url, 'xml')} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta property="og:image" content={imageUrl} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      <meta name="twitter:image" content={imageUrl} />
    </>
  )
}

const oEmbedUrl = (url: string, format: 'json' | 'xml'): string =>
  `/api/oembed?url=${encodeURIComponent(url)}&format=${format}`
