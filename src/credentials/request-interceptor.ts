/** What puts a credential on a request: an axios request interceptor, one kind per authType. */

import type { InternalAxiosRequestConfig } from "axios";

/** Takes the final config of one attempt and returns it with the credential on it. */
export type RequestInterceptor = (config: InternalAxiosRequestConfig) => InternalAxiosRequestConfig;
