CREATE TABLE "affinity_hourly" (
	"hour" bigint NOT NULL,
	"kind" text NOT NULL,
	"calls" bigint NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"cache_read_tokens" bigint NOT NULL,
	"uncached" bigint NOT NULL,
	"saved" bigint NOT NULL,
	CONSTRAINT "affinity_hourly_hour_kind_pk" PRIMARY KEY("hour","kind")
);
