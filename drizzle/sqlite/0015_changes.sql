CREATE TABLE `changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`transaction` integer NOT NULL,
	`node` text NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL,
	`created_time` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `changes_transaction` ON `changes` (`transaction`);--> statement-breakpoint
CREATE INDEX `changes_created` ON `changes` (`created_time`);