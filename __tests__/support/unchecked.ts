/** Values of unknown type where a type is required: for tests of input that no type allows, and of JSON that a test makes. */
import type { ApiSourceRecord, CallRequest } from "langchain-api-sources";

export const asRecord = (value: unknown): ApiSourceRecord => value as ApiSourceRecord;
export const asRecords = (values: readonly unknown[]): ApiSourceRecord[] => values.map(asRecord);
export const asRequest = (value: unknown): CallRequest => value as CallRequest;
