CREATE TABLE `affinity_hourly` (
	`hour` integer NOT NULL,
	`kind` text NOT NULL,
	`calls` integer NOT NULL,
	`prompt_tokens` integer NOT NULL,
	`cache_read_tokens` integer NOT NULL,
	`uncached` integer NOT NULL,
	`saved` integer NOT NULL,
	PRIMARY KEY(`hour`, `kind`)
);
