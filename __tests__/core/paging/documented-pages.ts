/** Pages whose bodies stand word for word in what they are from; rows that are left out there, or say nothing more, are left out here. */

import type { PageExample } from "./next-page-examples.js";

/** JSON, or XML where it begins with `<`. */
export const documentedPages: readonly (PageExample & {
  readonly body: string;
  readonly rows: readonly string[];
})[] = [
  {
    api: "HAL",
    source: "https://datatracker.ietf.org/doc/html/draft-kelly-json-hal-11#section-6",
    path: "/orders",
    body: `{
     "_links": {
       "self": { "href": "/orders" },
       "next": { "href": "/orders?page=2" },
       "find": { "href": "/orders{?id}", "templated": true }
     },
     "_embedded": {
       "orders": [{
           "_links": {
             "self": { "href": "/orders/123" },
             "basket": { "href": "/baskets/98712" },
             "customer": { "href": "/customers/7809" }
           },
           "total": 30.00,
           "currency": "USD",
           "status": "shipped"
         },{
           "_links": {
             "self": { "href": "/orders/124" },
             "basket": { "href": "/baskets/97213" },
             "customer": { "href": "/customers/12369" }
           },
           "total": 20.00,
           "currency": "USD",
           "status": "processing"
       }]
     },
     "currentlyProcessing": 14,
     "shippedToday": 20
   }`,
    next: { path: "/orders?page=2" },
    rows: ["_embedded", "orders"],
  },
  {
    api: "Spring Data REST",
    source: "https://docs.spring.io/spring-data/rest/reference/paging-and-sorting.html",
    baseUrl: "http://localhost:8080",
    path: "/persons?page=1&size=5",
    body: `{
  "_links" : {
    "self" : {
      "href" : "http://localhost:8080/persons{&sort,projection,page,size}",
      "templated" : true
    },
    "next" : {
      "href" : "http://localhost:8080/persons?page=2&size=5{&sort,projection}",
      "templated" : true
    },
    "prev" : {
      "href" : "http://localhost:8080/persons?page=0&size=5{&sort,projection}",
      "templated" : true
    }
  },
  "_embedded" : { "persons" : [ ] },
  "page" : {
    "size" : 5,
    "totalElements" : 50,
    "totalPages" : 10,
    "number" : 1
  }
}`,
    next: { path: "/persons?page=2&size=5" },
    rows: ["_embedded", "persons"],
  },
  {
    api: "API Platform (Hydra)",
    source: "https://api-platform.com/docs/v3.3/core/pagination",
    path: "/books",
    body: `{
  "@context": "/contexts/Book",
  "@id": "/books",
  "@type": "hydra:Collection",
  "hydra:member": [
    {
      "@id": "/books/1",
      "@type": "https://schema.org/Book",
      "name": "My awesome book"
    },
    {
        "_": "Other items in the collection..."
    }
  ],
  "hydra:totalItems": 50,
  "hydra:view": {
    "@id": "/books?page=1",
    "@type": "hydra:PartialCollectionView",
    "hydra:first": "/books?page=1",
    "hydra:last": "/books?page=2",
    "hydra:next": "/books?page=2"
  }
}`,
    next: { path: "/books?page=2" },
    rows: ["hydra:member"],
  },
  {
    api: "API Platform 4",
    source: "https://api-platform.com/docs/core/pagination/",
    path: "/books",
    body: `{
    "@context": "/contexts/Book",
    "@id": "/books",
    "@type": "Collection",
    "member": [
        {
            "@id": "/books/1",
            "@type": "https://schema.org/Book",
            "name": "My awesome book"
        },
        {
            "_": "Other items in the collection..."
        }
    ],
    "totalItems": 50,
    "view": {
        "@id": "/books?page=1",
        "@type": "PartialCollectionView",
        "first": "/books?page=1",
        "last": "/books?page=2",
        "next": "/books?page=2"
    }
}`,
    next: { path: "/books?page=2" },
    rows: ["member"],
  },
  {
    api: "Discourse (a live answer; the documentation leaves the member out)",
    source: "https://meta.discourse.org/latest.json",
    path: "/latest.json",
    body: `{
  "topic_list": {
    "per_page": 30,
    "more_topics_url": "/latest?no_definitions=true&page=1",
    "topics": [
      {
        "id": 8,
        "title": "Read this before posting",
        "posts_count": 12,
        "highest_post_number": 29,
        "created_at": "2017-08-17T22:57:31.812Z",
        "last_posted_at": "2026-07-22T02:46:15.292Z",
        "category_id": 3,
        "pinned": true,
        "tags": []
      }
    ]
  }
}`,
    next: { path: "/latest.json?no_definitions=true&page=1" },
    rows: ["topic_list", "topics"],
  },
  {
    api: "Crossref",
    source: "https://www.crossref.org/documentation/event-data/",
    path: "/events?rows=10000&filter=source:reddit,prefix:10.1371",
    body: `{
      "status": "ok",
      "message-type": "event-list",
      "message": {
      "next-cursor": "00efbd43-5140-4bbb-969d-0d4d8ee5f8d5",
      "total-results": 4013,
      "items-per-page": 10000,
      "events": [
        {
          "obj_id": "https://doi.org/10.1007/s00266-017-0820-4",
          "source_token": "45a1ef76-4f43-4cdc-9ba8-5a6ad01cc231",
          "occurred_at": "2017-02-27T19:06:32.000Z",
          "subj_id": "http://twitter.com/Ulcerasnet/statuses/836291446168817665",
          "id": "00001916-bbf6-4698-b8b8-26dbd885afa9",
          "action": "add"
        }
      ]
      }
    }`,
    next: {
      path: "/events?rows=10000&filter=source:reddit,prefix:10.1371&cursor=00efbd43-5140-4bbb-969d-0d4d8ee5f8d5",
    },
    rows: ["message", "events"],
  },
  {
    api: "Atom",
    source: "https://www.rfc-editor.org/rfc/rfc5005#section-3",
    baseUrl: "http://example.org",
    path: "/index.atom",
    body: `<?xml version="1.0" encoding="utf-8"?>
   <feed xmlns="http://www.w3.org/2005/Atom">
    <title>Example Feed</title>
    <link href="http://example.org/"/>
    <link rel="self" href="http://example.org/index.atom"/>
    <link rel="next" href="http://example.org/index.atom?page=2"/>
    <updated>2003-12-13T18:30:02Z</updated>
    <author>
      <name>John Doe</name>
    </author>
    <id>urn:uuid:60a76c80-d399-11d9-b93C-0003939e0af6</id>

    <entry>
      <title>Atom-Powered Robots Run Amok</title>
      <link href="http://example.org/2003/12/13/atom03"/>
      <id>urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a</id>
      <updated>2003-12-13T18:30:02Z</updated>
      <summary>Some text.</summary>
    </entry>
    <entry>
      <title>Atom-Powered Robots Run Amok</title>
      <id>urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6b</id>
    </entry>
   </feed>`,
    next: { path: "/index.atom?page=2" },
    rows: ["feed", "entry"],
  },
  {
    api: "Jira, enhanced search",
    source: "https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/",
    path: "/rest/api/3/search/jql?jql=project+%3D+DEV&maxResults=25",
    body: `{
  "issues": [{"key": "DEV-1", "fields": {"summary": "A summary"}}],
  "nextPageToken": "CAEaAggD",
  "isLast": false
}`,
    next: { path: "/rest/api/3/search/jql?jql=project%20%3D%20DEV&maxResults=25&nextPageToken=CAEaAggD" },
    rows: ["issues"],
  },
  {
    api: "Intercom, search by POST",
    source:
      "https://developers.intercom.com/docs/build-an-integration/learn-more/rest-apis/pagination-cursor",
    method: "POST",
    path: "/contacts/search",
    sent: { query: { field: "role", operator: "=", value: "user" }, pagination: { per_page: 5 } },
    body: `{
  "type": "list",
  "data": [{"type": "contact", "id": "5ba682d23d7cf92bef87bfd4"}],
  "pages": {
    "type": "pages",
    "next": {
      "page": 4,
      "starting_after": "1HaSB+xrOyyMXAkS/c1RteCL7BzOzTvYjmjakgTergIH31eoe2v4/sbLsJWP\\nIncfQLD3ouPkZlCwJ86F\\n"
    },
    "page": 3,
    "per_page": 5,
    "total_pages": 10
   }
}`,
    next: {
      method: "POST",
      path: "/contacts/search",
      body: {
        query: { field: "role", operator: "=", value: "user" },
        pagination: {
          per_page: 5,
          starting_after:
            "1HaSB+xrOyyMXAkS/c1RteCL7BzOzTvYjmjakgTergIH31eoe2v4/sbLsJWP\nIncfQLD3ouPkZlCwJ86F\n",
        },
      },
    },
    rows: ["data"],
  },
  {
    api: "Solr in XML, attributes (the rows of the example below)",
    source: "https://solr.apache.org/guide/solr/latest/query-guide/response-writers.html",
    path: "/select?q=*:*&wt=xml&rows=2",
    body: `<response>
<lst name="responseHeader"><int name="status">0</int></lst>
<result name="response" numFound="32" start="0">
<doc><str name="id">0579B002</str></doc>
<doc><str name="id">100-435805</str></doc>
</result>
</response>`,
    next: { path: "/select?q=*:*&wt=xml&rows=2&start=2" },
    rows: ["response", "result", "doc"],
  },
  {
    api: "Solr",
    source: "https://solr.apache.org/guide/solr/latest/query-guide/pagination-of-results.html",
    path: "/solr/techproducts/select?q=*:*&fl=id,name&start=0&rows=5",
    body: `{
"responseHeader":{
"status":0,
"QTime":0,
"params":{
"q":"*:*",
"fl":"id,name",
"start":"0",
"sort":"id asc",
"rows":"5"}},
"response":{"numFound":32,"start":0,"docs":[
{
"id":"0579B002",
"name":"Canon PIXMA MP500 All-In-One Photo Printer"},
{
"id":"100-435805",
"name":"ATI Radeon X1900 XTX 512 MB PCIE Video Card"},
{
"id":"3007WFP",
"name":"Dell Widescreen UltraSharp 3007WFP"},
{
"id":"6H500F0",
"name":"Maxtor DiamondMax 11 - hard drive - 500 GB - SATA-300"},
{
"id":"9885A004",
"name":"Canon PowerShot SD500"}]
}
}`,
    next: { path: "/solr/techproducts/select?q=*:*&fl=id,name&start=5&rows=5" },
    rows: ["response", "docs"],
  },
];
