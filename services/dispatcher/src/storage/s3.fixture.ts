/** Buckets of the S3 server that tests share, and what is in them. For tests. */
import { randomUUID } from 'node:crypto'
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import type { StorageCredentials } from '@posthorn/contracts/storage-config'
import { s3Url } from '@posthorn/testing/stores'

export interface FoundObject {
  bytes: string
  contentType: string | undefined
  metadata: Record<string, string>
}

export interface TestBucket {
  endpoint: string
  bucket: string
  credentials: StorageCredentials
  keys(): Promise<string[]>
  get(key: string): Promise<FoundObject>
  close(): void
}

export async function makeBucket(): Promise<TestBucket> {
  const { protocol, host, username, password } = new URL(await s3Url())
  const endpoint = `${protocol}//${host}`
  const credentials = {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  }
  const bucket = `test-${randomUUID()}`
  const client = new S3Client({ region: 'us-east-1', endpoint, credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  return {
    endpoint,
    bucket,
    credentials,
    async keys() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
      return Contents.map(({ Key }) => Key ?? '')
    },
    async get(key) {
      const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
      return {
        bytes: (await found.Body?.transformToString()) ?? '',
        contentType: found.ContentType,
        metadata: found.Metadata ?? {},
      }
    },
    close: () => client.destroy(),
  }
}
